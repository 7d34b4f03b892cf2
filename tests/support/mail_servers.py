"""Real mail servers, for the length of a test: Dovecot over a Maildir, an SMTP server that keeps all."""

import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.certificates import Certificate
from support.live_programs import needed_program

PASSWORD = 'a "secret" \\ word'
_CONFIG = """
base_dir = {home}/run
state_dir = {home}/run
protocols = imap
listen = 127.0.0.1
{encryption}
log_path = {home}/log
default_login_user = {login}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
mail_location = maildir:{mails}:CONTROL={home}/control:INDEX={home}/index
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {home}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {encrypted_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  separator = {separator}
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
  mailbox Entwürfe {{
    auto = create
    special_use = \\Drafts
  }}
}}
"""


_UNENCRYPTED = "ssl = no\ndisable_plaintext_auth = no"
_ENCRYPTED = "ssl = required\nssl_cert = <{path}\nssl_key = <{key}\ndisable_plaintext_auth = yes"


@dataclass
class Dovecot:
    """An IMAP server. mails: the Maildir that it serves; home: its own folder; encrypted_port: 0 without TLS."""

    port: int
    mails: Path
    home: Path
    encrypted_port: int = 0

    def login(self) -> imaplib.IMAP4:
        """A connection of one's own."""
        connection = imaplib.IMAP4("127.0.0.1", self.port, timeout=240)
        connection.authenticate("PLAIN", lambda _: f"\0ada@berg.example\0{PASSWORD}".encode())
        return connection


@contextmanager
def run_dovecot(
    mails: Path | None = None, separator: str = "/", certificate: Certificate | None = None
) -> Iterator[Dovecot]:
    """Dovecot over a copy of a Maildir, or an empty one; its user is one who may not be root.

    With a certificate nobody logs in without TLS.
    """
    program, home = needed_program("dovecot"), Path(tempfile.mkdtemp(prefix="yardkit-dovecot-"))
    home.chmod(0o755)
    box = home / "mails"
    shutil.copytree(mails, box) if mails else box.mkdir()
    user = pwd.getpwnam("dovecot") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    port, encrypted_port = _free_port(), _free_port() if certificate else 0
    encryption = _ENCRYPTED.format(**vars(certificate)) if certificate else _UNENCRYPTED
    names = {"user": user.pw_name, "login": "dovenull" if os.getuid() == 0 else user.pw_name, "separator": separator}
    values = {"home": home, "mails": box, "port": port, "uid": user.pw_uid, "gid": user.pw_gid, "group": user.pw_name}
    values |= {"encryption": encryption, "encrypted_port": encrypted_port}
    (home / "conf").write_text(_CONFIG.format(**names, **values), "utf-8")
    (home / "users").write_text(f"ada@berg.example:{{PLAIN}}{PASSWORD}\n", "utf-8")
    if os.getuid() == 0:
        for path in [home, *home.rglob("*")]:
            os.chown(path, user.pw_uid, user.pw_gid)
    process = subprocess.Popen([program, "-F", "-c", home / "conf"])
    try:
        _await_listener(port, home / "log")
        yield Dovecot(port, box, home, encrypted_port)
    finally:
        process.terminate()
        process.wait(240)
        shutil.rmtree(home, ignore_errors=True)


@dataclass
class Post:
    """An SMTP server.

    Attributes:
        got: sender, recipients and bytes of each message.
        refused: addresses that it does not take.
        logins: users who logged in with the password.
    """

    port: int = 0
    got: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    logins: list[str] = field(default_factory=list)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        """As aiosmtpd asks."""
        if address in self.refused:
            return "550 nobody has this address"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """As aiosmtpd asks."""
        self.got.append((envelope.mail_from, list(envelope.rcpt_tos), envelope.content))
        return "250 OK"


@contextmanager
def run_smtp_server(certificate: Certificate | None = None, *, at_once: bool = False) -> Iterator[Post]:
    """An SMTP server that keeps what it gets. With a certificate it speaks TLS after STARTTLS, or at once."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    smtp_server = Post(_free_port())

    def log_in(_server: Any, _session: Any, _envelope: Any, _way: str, credentials: Any) -> Any:
        right = credentials.password == PASSWORD.encode()
        smtp_server.logins += [credentials.login.decode()] if right else []
        return AuthResult(success=right)

    tls_options: dict[str, Any] = {}
    if certificate:
        secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        secure.load_cert_chain(certificate.path, certificate.key)
        tls_options = {"authenticator": log_in, "auth_require_tls": not at_once, "auth_required": not at_once}
        tls_options |= {"ssl_context": secure} if at_once else {"tls_context": secure, "require_starttls": True}
    controller = Controller(smtp_server, hostname="127.0.0.1", port=smtp_server.port, **tls_options)
    controller.start()
    try:
        yield smtp_server
    finally:
        controller.stop()


def _free_port() -> int:
    with closing(socket.socket()) as probe_socket:
        probe_socket.bind(("127.0.0.1", 0))
        return int(probe_socket.getsockname()[1])


def _await_listener(port: int, log: Path) -> None:
    """Until somebody listens there."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1)):
            return
        time.sleep(0.02)
    raise AssertionError(f"Dovecot does not start: {log.read_text('utf-8') if log.exists() else ''}")
