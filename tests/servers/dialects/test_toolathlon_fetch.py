"""Toolathlon's fetch: pages and data of the world's sites, and the real web only where it is allowed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.answers import make_caller, read_text
from support.web import Request, send_answer, serve_requests

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.web.backends.live_fetch import fetch_live
from yardkit.world import Problem, World, use_world

call = make_caller(load_server("web", "toolathlon"))
VISIT = """<html><head><title>Visit</title><style>b {color: red}</style></head><body><h1>Visit us</h1>
<form><input name="q"></form><p>Open on <b>Sunday</b>.</p>
<script>var x = 1</script><a href="/tickets">Tickets</a></body></html>"""


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def sites(world: World) -> Path:
    folder = world.root / "apps" / "web"
    pages = {
        "museum.example/visit.html": VISIT,
        "museum.example/prices.json": '{"adult": 12.5, "names": ["Müller"]}',
        "museum.example/broken.json": "{adult",
        "old.example/museum/visit.md": "# Visit us\n\nOpen on Saturday.",
    }
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_page_comes_as_html_markdown_and_text(sites: Path) -> None:
    url = "https://museum.example/visit?from=home#hours"
    assert read_text(call("fetch_html", url=url)) == VISIT
    assert read_text(call("fetch_markdown", url=url)) == "# Visit us\n\nOpen on **Sunday**.\n\n[Tickets](/tickets)"
    assert (
        read_text(call("fetch_txt", url=url, headers={"Accept": "text/html"}))
        == "Visit Visit us Open on Sunday . Tickets"
    )


def test_data_come_as_compact_json(sites: Path) -> None:
    assert (
        read_text(call("fetch_json", url="https://museum.example/prices.json")) == '{"adult":12.5,"names":["Müller"]}'
    )
    broken = call("fetch_json", url="https://museum.example/broken.json")
    assert (broken.is_error, read_text(broken)[:60]) == (
        True,
        "Failed to fetch https://museum.example/broken.json: it is ap",
    )


def test_sites_that_contradict_each_other_are_each_read_as_they_are(sites: Path) -> None:
    assert read_text(call("fetch_markdown", url="https://old.example/museum/visit")).endswith("Open on Saturday.")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://museum.example/none", "HTTP error: 404"),
        ("https://other.example/", "there is no site 'other.example'; there are: museum.example, old.example"),
        ("https://museum.example/../old.example/museum/visit", "HTTP error: 404"),
        ("https://museum.example/%2e%2e/old.example/museum/visit.md", "HTTP error: 404"),
        ("https://../etc/passwd", "there is no site '..'"),
        ("file:///etc/passwd", "is not a valid address"),
    ],
)
def test_what_no_site_has_is_refused(sites: Path, url: str, message: str) -> None:
    result = call("fetch_html", url=url)
    assert result.is_error
    assert read_text(result).startswith(f"Failed to fetch {url}: ")
    assert message in read_text(result)


def test_a_long_page_comes_in_parts_that_make_the_whole(sites: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(9_000))
    (sites / "museum.example" / "long.txt").write_text(lines)
    first = read_text(call("fetch_txt", url="https://museum.example/long"))
    first_part, _, note = first.rpartition("\n[cut; ")
    offset = int(note.partition("offset=")[2].rstrip("]"))
    assert first_part + read_text(call("fetch_txt", url="https://museum.example/long", offset=offset)) == lines


def _respond_to_request(request: Request) -> None:
    if request.path == "/away":
        send_answer(request, 302, headers={"Location": "http://169.254.169.254/secret"})
    elif request.path == "/home":
        send_answer(request, 301, headers={"Location": "/echo"})
    elif request.path == "/large":
        send_answer(request, 200, b"x" * 5_000_001)
    else:
        body = json.dumps({"host": request.headers["host"], "token": request.headers.get("x-token")}).encode()
        send_answer(request, 404 if request.path == "/none" else 200, body, {"Content-Type": "application/json"})


def test_the_real_web_is_read_only_where_the_operator_names_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_requests(_respond_to_request) as address:
        refused = call("fetch_json", url=f"{address}/echo")
        assert refused.is_error
        assert "YARDKIT_WEB_LIVE" in read_text(refused)
        host = address.removeprefix("http://")
        monkeypatch.setenv("YARDKIT_WEB_LIVE", f"example.org, {host}")
        for path in ("echo", "home"):
            got = json.loads(
                read_text(call("fetch_json", url=f"{address}/{path}", headers={"X-Token": "t", "Host": "evil"}))
            )
            assert got == {"host": host, "token": "t"}
        assert (
            read_text(call("fetch_json", url=f"{address}/none")) == f"Failed to fetch {address}/none: HTTP error: 404"
        )
        assert "more than 5,000,000 bytes" in read_text(call("fetch_txt", url=f"{address}/large"))
        assert "169.254.169.254 is not an allowed host" in read_text(call("fetch_txt", url=f"{address}/away"))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "10.0.0.7", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "0.0.0.0",
     "[64:ff9b::a00:1]", "[fe80::1]", "100.64.0.1"],
)  # fmt: skip
def test_a_private_host_is_none_of_the_public_web(host: str) -> None:
    with pytest.raises(Problem, match="private address"):
        fetch_live(f"http://{host}/", {}, "*")
