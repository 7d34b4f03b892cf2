"""A real mailbox is talked to by TLS alone: who cannot show the right certificate gets no password and no mail."""

import base64
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from support.certificates import Certificate, make_authority, make_certificate
from support.mail_servers import PASSWORD, Dovecot, Post, run_dovecot, run_smtp_server
from support.relays import run_relay

from yardkit.servers.mail.backends.imap import Imap
from yardkit.servers.mail.backends.imap import open_session as imap_session
from yardkit.servers.mail.backends.settings import Settings
from yardkit.servers.mail.backends.smtp import hand_over
from yardkit.world import Problem

pytestmark = [pytest.mark.drill, pytest.mark.live]
HOST, OTHER, ADA = "mail.berg.example", "mail.evil.example", "ada@berg.example"
LETTER = b"From: ada@berg.example\r\nTo: ben@moser.example\r\nSubject: Plan\r\n\r\nHello.\r\n"


@dataclass(frozen=True)
class Papers:
    """Certificates. right: of the host, by the authority; wrong: of another host; own: of the host, by itself."""

    authority: Certificate
    right: Certificate
    wrong: Certificate
    own: Certificate


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    folder = tmp_path_factory.mktemp("certificates")
    authority = make_authority(folder)
    right, wrong = (make_certificate(folder, host, authority) for host in (HOST, OTHER))
    return Papers(authority, right, wrong, make_certificate(folder, HOST))


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hosts are this machine, which clients do not know."""
    asked = socket.getaddrinfo

    def resolve_host(host: Any, *arguments: Any, **named: Any) -> Any:
        return asked("127.0.0.1" if host in (HOST, OTHER) else host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve_host)


@pytest.fixture
def trusting(papers: Papers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority is named by the setting."""
    monkeypatch.setenv("SSL_CERT_FILE", str(papers.authority.path))


def _log_in(url: str) -> list[str]:
    """The folders of the mailbox, by a connection that is not kept."""
    imap = Imap(Settings(url, "", ADA, PASSWORD))
    try:
        return [folder.name for folder in imap.list_folders()]
    finally:
        imap.connection.shutdown()


def _catch_refusal(url: str) -> str:
    with pytest.raises(Problem) as caught, imap_session(Settings(url, "", ADA, PASSWORD)):
        pass
    return str(caught.value)


def _send_letter(url: str) -> list[str]:
    return hand_over(Settings("", url, ADA, PASSWORD, ADA, sending="always"), ["ben@moser.example"], LETTER)


@pytest.fixture(scope="module")
def imap(papers: Papers) -> Iterator[Dovecot]:
    with run_dovecot(certificate=papers.right) as running:
        yield running


@pytest.fixture
def smtp(papers: Papers) -> Iterator[Post]:
    with run_smtp_server(papers.right) as running:
        yield running


@pytest.mark.usefixtures("trusting")
def test_an_authority_of_ones_own_is_trusted_if_the_setting_names_it(imap: Dovecot, smtp: Post, papers: Papers) -> None:
    assert "INBOX" in _log_in(f"imaps://{HOST}:{imap.encrypted_port}")
    assert "INBOX" in _log_in(f"imap://{HOST}:{imap.port}")
    assert _send_letter(f"smtp://{HOST}:{smtp.port}") == []
    with run_smtp_server(papers.right, at_once=True) as other:
        assert _send_letter(f"smtps://{HOST}:{other.port}") == []
    assert [(len(mail_server.got), mail_server.logins) for mail_server in (smtp, other)] == [(1, [ADA])] * 2


def test_without_the_setting_the_authority_is_refused(imap: Dovecot, smtp: Post) -> None:
    for url in (f"imaps://{HOST}:{imap.encrypted_port}", f"imap://{HOST}:{imap.port}"):
        message = _catch_refusal(url)
        assert "certificate is not trusted (unable to get local issuer certificate)" in message
        assert "SSL_CERT_FILE" in message
    with pytest.raises(Problem, match="certificate is not trusted"):
        _send_letter(f"smtp://{HOST}:{smtp.port}")
    assert (smtp.got, smtp.logins) == ([], [])


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize(("kind", "reason"), [("wrong", "Hostname mismatch"), ("own", "self-signed certificate")])
def test_a_certificate_of_another_host_or_by_itself_is_refused(papers: Papers, kind: str, reason: str) -> None:
    certificate: Certificate = getattr(papers, kind)
    with (
        run_dovecot(certificate=certificate) as imap,
        run_relay(imap.port) as started,
        run_relay(imap.encrypted_port) as at_once,
    ):
        assert reason in _catch_refusal(f"imap://{HOST}:{started.port}")
        assert reason in _catch_refusal(f"imaps://{HOST}:{at_once.port}")
        _require_no_password(bytes(started.sent + at_once.sent))
    with run_smtp_server(certificate) as smtp, run_relay(smtp.port) as started, pytest.raises(Problem, match=reason):
        _send_letter(f"smtp://{HOST}:{started.port}")
    _require_no_password(bytes(started.sent))
    with (
        run_smtp_server(certificate, at_once=True) as smtp,
        run_relay(smtp.port) as at_once,
        pytest.raises(Problem, match=reason),
    ):
        _send_letter(f"smtps://{HOST}:{at_once.port}")
    _require_no_password(bytes(at_once.sent))
    assert (smtp.got, smtp.logins) == ([], [])


@pytest.mark.usefixtures("trusting")
def test_no_password_is_sent_where_somebody_hides_that_the_server_speaks_tls(imap: Dovecot, smtp: Post) -> None:
    with run_relay(imap.port, b"STARTTLS") as between:
        assert "does not offer encryption" in _catch_refusal(f"imap://{HOST}:{between.port}")
    assert b"CAPABILITY" in between.sent
    _require_no_password(bytes(between.sent))
    with run_relay(smtp.port, b"STARTTLS") as between, pytest.raises(Problem, match="does not offer encryption"):
        _send_letter(f"smtp://{HOST}:{between.port}")
    assert b"ehlo" in bytes(between.sent)
    _require_no_password(bytes(between.sent))
    assert (smtp.got, smtp.logins) == ([], [])


@pytest.mark.usefixtures("trusting")
def test_no_password_is_sent_to_a_server_without_tls(imap: Dovecot) -> None:
    with run_dovecot() as unencrypted_server, run_relay(unencrypted_server.port) as between:
        assert "does not offer encryption" in _catch_refusal(f"imap://{HOST}:{between.port}")
        assert _catch_refusal(f"imaps://{HOST}:{between.port}")
    _require_no_password(bytes(between.sent))
    with (
        run_smtp_server() as smtp,
        run_relay(smtp.port) as between,
        pytest.raises(Problem, match="does not offer encryption"),
    ):
        _send_letter(f"smtp://{HOST}:{between.port}")
    _require_no_password(bytes(between.sent))
    assert smtp.got == []


@pytest.mark.usefixtures("trusting")
def test_what_goes_over_the_wire_is_encrypted(imap: Dovecot, smtp: Post) -> None:
    with run_relay(imap.port) as between:
        _log_in(f"imap://{HOST}:{between.port}")
    _require_no_password(bytes(between.sent))
    with run_relay(smtp.port) as between:
        _send_letter(f"smtp://{HOST}:{between.port}")
    _require_no_password(bytes(between.sent))
    assert (len(smtp.got), b"Hello." in between.sent) == (1, False)


def _require_no_password(sent: bytes) -> None:
    """Neither as it is nor as PLAIN, LOGIN write it, and no begin of a login."""
    secrets = [f"\0{ADA}\0{PASSWORD}", PASSWORD, ADA]
    for secret in (PASSWORD.encode(), *(base64.b64encode(secret.encode()) for secret in secrets)):
        assert secret not in sent
    assert not any(word in sent.upper() for word in (b"AUTH", b" LOGIN "))
