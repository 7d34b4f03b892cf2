import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from support.gateways import OPERATOR, TASK, Gateway, Opened, make_bearer_header, running_gateway

from yardkit.sandbox.gateway import Settings, create_app, episodes
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import Problem

ADDRESSES = [
    ("POST", "/episodes"),
    ("GET", "/episodes"),
    ("DELETE", "/e/{id}"),
    ("POST", "/e/{id}/mcp"),
    ("GET", "/e/{id}/mcp"),
    ("POST", "/e/{id}/mcp/files"),
    ("GET", "/e/{id}/tools"),
    ("POST", "/e/{id}/call"),
    ("POST", "/e/{id}/fork"),
    ("GET", "/e/{id}/state_hash"),
    ("GET", "/e/{id}/trace"),
    ("POST", "/e/{id}/grade"),
    ("GET", "/tasks/quickstart/sort_inbox"),
    ("POST", "/seed_session"),
    ("POST", "/verify"),
]
OPERATOR_ONLY = [
    *(("POST", "/episodes"), ("GET", "/episodes"), ("DELETE", "/e/{id}"), ("POST", "/e/{id}/grade")),
    *(("GET", "/tasks/quickstart/sort_inbox"), ("POST", "/seed_session"), ("POST", "/verify")),
]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with running_gateway(tmp_path_factory.mktemp("runs"), Settings(max_body_bytes=100_000)) as running:
        yield running


@pytest.fixture(scope="module")
def episode(gateway: Gateway) -> Opened:
    return gateway.open()


@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_without_a_token_nothing_opens(gateway: Gateway, episode: Opened, method: str, address: str) -> None:
    for headers in (
        {},
        {"Authorization": episode.token},
        {"Authorization": f"Basic {episode.token}"},
        make_bearer_header("x"),
    ):
        answer = gateway.http.request(method, address.format(id=episode.id), headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer" in answer.json()["error"]


@pytest.mark.parametrize(("method", "address"), OPERATOR_ONLY)
def test_an_agents_token_does_not_open_what_is_the_operators(
    gateway: Gateway, episode: Opened, method: str, address: str
) -> None:
    answer = gateway.http.request(method, address.format(id=episode.id), headers=make_bearer_header(episode.token))
    assert answer.status_code == 401
    assert "operator" in answer.json()["error"]


@pytest.mark.parametrize(("method", "address"), ADDRESSES[3:-1])
def test_the_token_of_another_episode_and_an_unknown_episode_look_the_same(
    gateway: Gateway, episode: Opened, method: str, address: str
) -> None:
    other = gateway.open(seed=1)
    answers = [
        gateway.http.request(method, address.format(id=name), headers=make_bearer_header(other.token))
        for name in (episode.id, "e0123456789abcdef", "e" * 17, "%2e%2e%2fetc", "..%2f..%2fetc")
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers[:3]}) == 1
    compared_headers = {"content-type", "www-authenticate", "content-length"}
    first, second = ({k: v for k, v in answer.headers.items() if k in compared_headers} for answer in answers[:2])
    assert first == second


def test_the_operator_hears_that_an_episode_is_unknown(gateway: Gateway) -> None:
    for name in ("e0123456789abcdef", "world", "x" * 500, "e%00"):
        answer = gateway.http.get(f"/e/{name}/trace", headers=make_bearer_header(OPERATOR))
        assert answer.status_code == 404
        assert "error" in answer.json()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_not_ours_is_refused(gateway: Gateway, episode: Opened, host: str) -> None:
    answer = gateway.http.get(f"/e/{episode.id}/tools", headers={**make_bearer_header(episode.token), "Host": host})
    assert answer.status_code in (400, 421)
    if answer.status_code == 421:
        assert "Host" in answer.json()["error"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"])
def test_a_web_page_cannot_call(gateway: Gateway, episode: Opened, origin: str) -> None:
    for method, path in (("GET", "tools"), ("POST", "mcp"), ("POST", "call")):
        headers = {**make_bearer_header(episode.token), "Origin": origin}
        answer = gateway.http.request(method, f"/e/{episode.id}/{path}", headers=headers)
        assert answer.status_code == 403
        assert "Origin" in answer.json()["error"]
        assert "access-control-allow-origin" not in answer.headers


def test_a_body_over_the_limit_is_refused_whether_its_length_is_told_or_not(gateway: Gateway, episode: Opened) -> None:
    huge = json.dumps({"name": "write_file", "arguments": {"path": "x", "content": "x" * 200_000}}).encode()
    chunks = [huge[start : start + 5_000] for start in range(0, len(huge), 5_000)]
    for path in ("call", "mcp"):
        for body in (huge, iter(chunks)):
            answer = gateway.http.post(
                f"/e/{episode.id}/{path}", content=body, headers=make_bearer_header(episode.token)
            )
            assert answer.status_code == 413
            assert "100,000 bytes" in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[]", "object"),
        (b'"sort_inbox"', "object"),
        (b"null", "object"),
        (b"{}", "task"),
        (b'{"task": 3}', "task"),
        (b'{"task": "sort_inbox", "seed": "7"}', "seed"),
        (b'{"task": "sort_inbox", "seed": -1}', "seed"),
        (b'{"task": "sort_inbox", "seed": 1e400}', "seed"),
        (b'{"task": "sort_inbox", "seed": 99999999999999999999999999}', "seed"),
        (b'{"task": "sort_inbox", "sede": 7}', "sede"),
        (b'{"task": "sort_inbx"}', "sort_inbox"),
        (b'{"task": "../../etc"}', "../../etc"),
        (b'{"task": "quickstart/../quickstart/sort_inbox"}', "no suite or task"),
        (b'{"task": "sort_inbox", "faults": {"timeout": 1}}', "'faults' is not available yet"),
        (b'{"task": "sort_inbox", "feedback": "dense"}', "'feedback' is not available yet"),
        (b"[" * 50_000, "JSON"),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(gateway: Gateway, body: bytes, says: str) -> None:
    answer = gateway.http.post("/episodes", content=body, headers=make_bearer_header(OPERATOR))
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert says in error
    assert "Traceback" not in error
    assert len(error) < 1_000


def test_empty_faults_and_feedback_are_taken(gateway: Gateway) -> None:
    body = {"task": TASK, "seed": 2, "faults": [], "feedback": None}
    assert gateway.http.post("/episodes", json=body, headers=make_bearer_header(OPERATOR)).status_code == 201


@pytest.mark.parametrize(
    ("method", "address"), [("GET", "/nowhere"), ("PUT", "/episodes"), ("GET", "/e"), ("GET", "/")]
)
def test_wrong_addresses_and_methods_are_answered_in_json(gateway: Gateway, method: str, address: str) -> None:
    answer = gateway.http.request(method, address, headers=make_bearer_header(OPERATOR))
    assert answer.status_code in (404, 405)
    assert answer.json()["error"].startswith(("this address does not exist", "this address does not take"))


def test_hostile_arguments_leave_a_ledger_that_can_be_graded(gateway: Gateway) -> None:
    episode = gateway.open(seed=3)
    for path in ("../x", "/etc/passwd", "a\u2028b", "a\x85b", "n\x00ull", "x" * 300, "\u202e", "c:\\x"):
        for tool in ("read_file", "write_file"):
            arguments = {"path": path, **({"content": "a\u2028b\x0b\x1c\u2029"} if tool == "write_file" else {})}
            assert episode.post("call", {"name": tool, "arguments": arguments}).status_code == 200
    surrogate = b'{"name": "read_file", "arguments": {"path": "\\ud800"}}'
    answer = gateway.http.post(f"/e/{episode.id}/call", content=surrogate, headers=make_bearer_header(episode.token))
    assert answer.status_code in (200, 400)
    assert gateway.grade(episode).json()["valid"] is True
    assert len([line for line in episode.get("trace", OPERATOR).text.split("\n") if line]) >= 16


def test_half_a_request_and_garbage_do_not_stop_the_gateway(gateway: Gateway, episode: Opened) -> None:
    where = urlsplit(str(gateway.http.base_url))
    for garbage in (b"POST /episodes HTTP/1.1\r\nContent-Length: 50\r\n\r\n{", b"\x16\x03\x01" + b"\xff" * 200, b"GET"):
        with socket.create_connection((where.hostname, where.port), timeout=240) as connection:
            connection.sendall(garbage)
    assert episode.get("state_hash").status_code == 200


def test_nothing_that_an_agent_can_see_holds_facts_tokens_or_paths_of_the_machine(gateway: Gateway) -> None:
    episode, other = gateway.open(seed=8), gateway.open(seed=8)
    task = find_task(TASK)
    episode.call("write_file", path="canary.txt", content="x")
    seen = [json.dumps({k: v for k, v in episode.introduction.items() if k != "token"})]
    visible_paths = ("tools", "tools?format=openai", "state_hash", "trace", "trace?format=atif", "trace?format=otel")
    seen += [episode.get(path).text for path in visible_paths]
    for tool, arguments in (
        ("list_folder", {"path": "."}),
        ("list_folder", {"path": ".."}),
        ("show_tree", {"path": "."}),
        ("describe_path", {"path": "../../episode.json"}),
        ("read_file", {"path": "../../episode.json"}),
        ("read_file", {"path": "../world.json"}),
        ("search_files", {"pattern": ".", "path": "."}),
        ("no_such", {}),
        ("write_file", {}),
    ):
        seen.append(episode.post("call", {"name": tool, "arguments": arguments}).text)
    seen += [episode.get(path).text for path in ("mcp", "mcp/nope", "nope")]
    everything = "\n".join(seen)
    facts = seed_task(task, 8, gateway.runs / "truth").facts
    secrets = [OPERATOR, episode.token, other.token, str(gateway.runs), *facts["expected"].values()]
    # What the agent has to find out: the right places. The names of files that stay may well be seen.
    secrets += [path for path in facts["expected"] if path.startswith(("invoices/", "exports/", "archive/", "notes/"))]
    assert len(secrets) > 20
    assert [secret for secret in secrets if secret in everything] == []
    assert '"expected"' not in everything
    assert "grade" not in everything.replace("/grade", "").replace("state_hash, trace, grade", "")


def test_a_short_operator_token_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(Problem, match="at least 16"):
        create_app(tmp_path_factory.mktemp("runs"), "short")


def test_an_agent_cannot_take_everybodys_places_by_forking(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episodes, "MAX_FORKS", 3)
    own = gateway.open()
    first = gateway.make_opened(own.post("fork", {}).json())
    assert [member.post("fork", {}).status_code for member in (first, own, first, own)] == [201, 201, 429, 429]
    assert "operator" in first.post("fork", {}).json()["error"]
    assert first.post("fork", {}, token=OPERATOR).status_code == 201
