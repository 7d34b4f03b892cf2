"""Search over the sites of a world, their pages, and a live service on the loopback interface."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from support.answers import Call, make_caller, read_text
from support.model_services import model_service

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

VISIT = """<html><head><title>Opening hours</title><meta name="date" content="2026-02-01">
<script>var x = 'harbour'</script>
</head><body><nav>Home</nav><h1>Visit us</h1><p>The harbour museum opens on <b>Sunday</b> from 11 to 17.</p>
<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Sunday</td><td>11 to 17</td></tr></table></body></html>"""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def sites(world: World) -> Path:
    folder = world.root / "apps" / "web"
    pages = {
        "museum.example/visit.html": VISIT,
        "museum.example/index.html": "<title>Harbour museum</title><p>Ships and tools.</p>",
        "news.example/2024/hours.md": "# Old hours\n\nIn 2024 the harbour museum opened on Sundays at 10.",
        "news.example/notes.bin": "harbour",
    }
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def call() -> Call:
    return make_caller(load_server("web"))


def test_pages_with_more_and_rarer_words_come_first(call: Call, sites: Path) -> None:
    search_reply = call("search_web", query="opening hours").structured_content
    assert [hit["url"] for hit in search_reply["hits"]] == [
        "https://museum.example/visit.html",
        "https://news.example/2024/hours.md",
    ]
    assert call("search_web", query="harbour museum").structured_content["hits"][0]["url"] == "https://museum.example/"
    assert (search_reply["hits"][0]["title"], search_reply["hits"][0]["date"], search_reply["source"]) == (
        "Opening hours",
        "2026-02-01",
        "sites",
    )
    assert "var x" not in search_reply["hits"][0]["snippet"]
    part = call("search_web", query="harbour", limit=1)
    assert part.structured_content["next_offset"] == 1
    assert "go on with offset=1" in read_text(part)
    assert "No page was found" in read_text(call("search_web", query="zebra"))
    assert "contains no word" in read_text(call("search_web", query='"*"'))


def test_a_changed_page_is_found_as_it_is(call: Call, sites: Path) -> None:
    call("search_web", query="harbour")
    (sites / "museum.example" / "zoo.txt").write_text("A zebra in the harbour")
    assert [hit["title"] for hit in call("search_web", query="zebra").structured_content["hits"]] == [
        "A zebra in the harbour"
    ]


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://museum.example/visit", "Opening hours"),
        ("http://MUSEUM.example/visit.html?x=1#top", "Opening hours"),
        ("museum.example", "Harbour museum"),
        ("https://news.example/2024/hours", "Old hours"),
    ],
)
def test_a_page_is_read_by_its_address(call: Call, sites: Path, url: str, title: str) -> None:
    assert call("fetch_page", url=url).structured_content["title"] == title


def test_a_page_comes_as_markdown_and_in_parts(call: Call, sites: Path) -> None:
    text = call("fetch_page", url="https://museum.example/visit").structured_content["text"]
    assert "# Visit us" in text
    assert "**Sunday**" in text
    assert "| Sunday | 11 to 17 |" in text
    assert "var x" not in text
    (sites / "museum.example" / "long.txt").write_text("word " * 100)
    part = call("fetch_page", url="museum.example/long", limit=100)
    assert part.structured_content["next_offset"] == 100
    assert "ends at 500 characters" in read_text(call("fetch_page", url="museum.example/long", offset=500))


SHEET = ".x, aside.note { color: red; display: none } @media print { p { display: none } }"
MARKDOWN_OF = {
    "10<sup>6</sup> parts, CO<sub>2</sub>, 5 m<sup>2</sup>, x<sub>max</sub>": "10⁶ parts, CO₂, 5 m², x\\_(max)",
    "42<sup>1</sup> euro on the 1<sup>st</sup>": "42¹ euro on the 1st",
    '42<sup><a href="#n1">[1]</a></sup> euro': "42[[1]](#n1) euro",
    "<math><msup><mi>x</mi><mn>2</mn></msup><mfrac><mn>1</mn><mn>2</mn></mfrac></math>": "x^(2)(1)/(2)",
    "<ruby>漢字<rt>kanji</rt></ruby>": "漢字(kanji)",
    "Müll&shy;abfuhr": "Müllabfuhr",
    "<form action=a.aspx><b>Lamp</b> 99 euro<input name=q value=x><input type=checkbox checked> yes</form>": (
        "**Lamp** 99 euro [x] yes"
    ),
    '<a href="b.html">b</a> <a href="/c">c</a> <a href="#d">d</a>': (
        "[b](https://museum.example/sub/b.html) [c](https://museum.example/c) [d](#d)"
    ),
    '<base href="https://cdn.example/v1/"><a href="b.html">b</a> <img src="i.png" alt="i">': (
        "[b](https://cdn.example/v1/b.html) ![i](https://cdn.example/v1/i.png)"
    ),
    '<a href="a b.html">a</a> <img src="plan 1.png" alt="p">': (
        "[a](https://museum.example/sub/a%20b.html) ![p](https://museum.example/sub/plan%201.png)"
    ),
    "<a href='http://[x'>bad</a> <a href='mailto:a@b.example'>mail</a>": "[bad](http://[x) [mail](mailto:a@b.example)",
    "<table><tr><th>Day<th>Hall<th>Room</tr><tr><td rowspan=2>Mon<td>A|B<td>1</tr><tr><td>C<td>2</tr></table>": (
        "| Day | Hall | Room |\n| --- | --- | --- |\n| Mon | A\\|B | 1 |\n| Mon | C | 2 |"
    ),
    '<img src="data:image/gif;base64,R0" data-src="real.jpg" alt="a"> <img alt="b" srcset="s.jpg 480w, l.jpg 1200w">': (
        "![a](https://museum.example/sub/real.jpg) ![b](https://museum.example/sub/l.jpg)"
    ),
    '<p>x <picture><source srcset="big.webp 2x, small.webp"><img alt="a"></picture></p>': (
        "x ![a](https://museum.example/sub/big.webp)"
    ),
    '<p>x</p><img alt="a"><noscript><img alt="a" src="a.jpg"></noscript><noscript><img width=1 src="t"></noscript>': (
        "x\n\n![a](https://museum.example/sub/a.jpg)"
    ),
    "<noscript>You need JavaScript.</noscript><div></div>": "You need JavaScript.",
    '<p>x</p><noscript>You need JavaScript.</noscript><iframe src="/v" title="Talk"></iframe>': (
        "x\n\n[embedded page: Talk](https://museum.example/v)"
    ),
    "<table><tr><td>a<td rowspan=3>b</tr><tr><td>c</tr><tr><td>d</tr></table>": (
        "|  |  |\n| --- | --- |\n| a | b |\n| c | b |\n| d | b |"
    ),
}


@pytest.mark.parametrize("source", MARKDOWN_OF)
def test_a_page_says_what_its_reader_sees(call: Call, sites: Path, source: str) -> None:
    place = sites / "museum.example" / "sub" / "a.html"
    place.parent.mkdir()
    place.write_text(f"<html><body>{source}</body></html>")
    assert call("fetch_page", url="museum.example/sub/a").structured_content["text"] == MARKDOWN_OF[source]


def test_an_address_of_a_file_that_is_no_page_says_so_and_data_are_read(call: Call, sites: Path) -> None:
    (sites / "museum.example" / "plan.pdf").write_bytes(b"%PDF-1.4\n")
    (sites / "museum.example" / "prices.csv").write_text("ticket,12\n")
    assert "is a file of 9 bytes, not a page" in read_text(call("fetch_page", url="museum.example/plan.pdf"))
    assert "status 404" in read_text(call("fetch_page", url="museum.example/none.pdf"))
    assert call("fetch_page", url="museum.example/prices.csv").structured_content["text"] == "ticket,12\n"


def test_a_page_says_where_it_sends_its_readers_on_to(call: Call, sites: Path) -> None:
    refresh = '<meta http-equiv="Refresh" content="0; URL=\'new/b.html\'">'
    (sites / "museum.example" / "a.html").write_text(f"<html><head>{refresh}</head><body></body></html>")
    text = call("fetch_page", url="museum.example/a").structured_content["text"]
    assert text == "[this page sends its readers on to https://museum.example/new/b.html]"


@pytest.mark.parametrize(
    "source",
    [
        "<p hidden>secret</p>",
        '<p style="color:red; DISPLAY : none">secret</p>',
        '<div style="visibility:hidden">secret</div>',
        "<dialog>secret</dialog>",
        f'<style>{SHEET}</style><p class="x">secret</p>',
        f'<style>{SHEET}</style><aside class="note">secret</aside>',
    ],
)
def test_what_a_page_hides_is_left_out_and_that_is_said(call: Call, sites: Path, source: str) -> None:
    (sites / "museum.example" / "a.html").write_text(f"<html><body><p>Shown.</p>{source}</body></html>")
    text = call("fetch_page", url="museum.example/a").structured_content["text"]
    assert text == "Shown.\n\n[6 characters that the page hides by its style left out]"
    assert call("search_web", query="secret").structured_content["hits"] == []


def test_a_style_sheet_of_the_site_hides_too_and_one_that_is_elsewhere_is_said(call: Call, sites: Path) -> None:
    links = "<link rel=stylesheet href=/look.css><link rel=stylesheet href=https://cdn.example/a.css>"
    (sites / "museum.example" / "look.css").write_text("p.x, aside { max-height: 0; overflow: hidden }")
    (sites / "museum.example" / "a.html").write_text(f"<head>{links}</head><p>Shown.</p><p class=x>secret</p>")
    text = call("fetch_page", url="museum.example/a").structured_content["text"]
    assert "secret" not in text
    assert text.endswith("[1 style sheet of the page cannot be read, so what it hides is shown]")


@pytest.mark.parametrize(
    ("codec", "head"),
    [
        ("cp1252", '<meta charset="windows-1252">'),
        ("cp1252", ""),
        ("utf-16", ""),
        ("utf-8", '<meta charset="utf-8">'),
    ],
)
def test_a_page_in_any_charset_is_read_and_found(call: Call, sites: Path, codec: str, head: str) -> None:
    page = f"<html><head>{head}</head><body><p>Zur Brücke: 5 € für Größe XL</p></body></html>"
    (sites / "museum.example" / "a.html").write_bytes(page.encode(codec))
    assert call("fetch_page", url="museum.example/a").structured_content["text"] == "Zur Brücke: 5 € für Größe XL"
    assert call("search_web", query="brücke").structured_content["total"] == 1


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("博物馆", "zh.html"),
        ("港口博物馆开放吗", "zh.html"),
        ("日曜日", "ja.html"),
        ("ﾊﾘﾀﾞｼ", "ja.html"),
        ("박물관", "ko.html"),
        ("พิพิธภัณฑ์", "th.html"),
        ("CO2", "de.html"),
        ("ÜBERSICHT", "de.html"),
        ("strasse", "de.html"),
        ("Strass*", "de.html"),
        ("lodz", "de.html"),
        ("محمد", "ar.html"),
        ("किताब", "hi.html"),
        ("C++", "code.html"),
        ("C#", "code.html"),
        (".NET", "code.html"),
        ("kotlin OR Łódź", "de.html"),
        ("language NOT vitamin", "code.html"),
        ("language -vitamin", "code.html"),
        ("language site:news.example", "c.html"),
    ],
)
def test_words_are_found_in_any_script(call: Call, sites: Path, query: str, page: str) -> None:
    pages = {
        "zh.html": "<title>港口博物馆</title><p>港口博物馆周日上午十一点开放。</p>",
        "ja.html": "<title>営業時間</title><p>日曜日は午前11時にハリダシします。</p>",
        "ko.html": "<p>박물관은 일요일에 문을 엽니다.</p>",
        "th.html": "<p>เปิดพิพิธภัณฑ์ทุกวันอาทิตย์</p>",
        "de.html": "<p>Die Übersicht: CO<sub>2</sub>, Straße in Łódź</p>",
        "ar.html": "<p dir=rtl>كتب مُحَمَّد</p>",
        "hi.html": "<p>यह किताब</p>",
        "kt.html": "<p>तक बक</p>",
        "code.html": "<p>This language is like C++17, C# and .NET</p>",
    }
    for name, text in pages.items():
        (sites / "museum.example" / name).write_text(text)
    (sites / "news.example" / "c.html").write_text("<p>The language C, a net and vitamin C</p>")
    hits = call("search_web", query=query).structured_content["hits"]
    assert [hit["url"].rsplit("/", 1)[-1] for hit in hits] == [page]
    assert " " not in hits[0]["title"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://other.example/", "there is no site 'other.example'; there are: museum.example, news.example"),
        ("https://museum.example/none", "there is no page 'https://museum.example/none' (status 404)"),
        ("https://museum.example/../../../../etc/passwd", "there is no page"),
        ("https://museum.example/%2e%2e/news.example/2024/hours", "there is no page"),
        ("file:///etc/passwd", "is not a valid page address"),
        ("https://news.example/notes.bin", "is a file of 7 bytes, not a page"),
    ],
)
def test_what_is_no_page_is_refused(call: Call, sites: Path, url: str, message: str) -> None:
    assert message in read_text(call("fetch_page", url=url))


def test_links_and_deep_pages_lead_nowhere(call: Call, sites: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret harbour")
    (sites / "museum.example" / "link.txt").symlink_to(tmp_path / "secret.txt")
    (sites / "museum.example" / "deep.html").write_text("<div>" * 50_000 + "deep water")
    assert "there is no page" in read_text(call("fetch_page", url="museum.example/link"))
    assert call("search_web", query="secret").structured_content["hits"] == []
    assert "nested too deep" in read_text(call("fetch_page", url="museum.example/deep"))


def test_a_folder_of_sites_stands_in_for_those_of_the_world(
    call: Call, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "this world has no sites" in read_text(call("search_web", query="harbour"))
    assert "YARDKIT_WEB_SITES" in read_text(call("fetch_page", url="a.example"))
    (tmp_path / "own" / "a.example").mkdir(parents=True)
    (tmp_path / "own" / "a.example" / "index.html").write_text("<h2>A site</h2>")
    monkeypatch.setenv("YARDKIT_WEB_SITES", str(tmp_path / "own"))
    assert call("search_web", query="site").structured_content["hits"][0]["title"] == "A site"


def _answer_searxng(body: bytes, path: str) -> dict[str, object]:
    page = int(parse_qs(urlsplit(path).query)["pageno"][0])
    items = [{"title": f"Page {10 * page + n}", "url": f"https://x/{n}", "content": "words"} for n in range(10)]
    return {"results": items if page < 3 else []}


def _answer_serper(body: bytes, path: str) -> dict[str, object]:
    return {"organic": [{"title": "One", "link": "https://one/", "snippet": "first"}] if b'"page":1' in body else []}


@pytest.mark.parametrize(
    ("route", "respond", "key", "first"),
    [("GET /search*", _answer_searxng, "", "Page 10"), ("POST /search", _answer_serper, "k", "One")],
)
def test_a_live_service_is_asked_where_there_are_no_sites(
    call: Call,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    route: str,
    respond: Callable[[bytes, str], dict[str, object]],
    key: str,
    first: str,
) -> None:
    with model_service({route: respond}) as url:
        monkeypatch.setenv("YARDKIT_SEARCH_URL", f"{url}/search")
        monkeypatch.setenv("YARDKIT_SEARCH_KEY", key)
        search_reply = call("search_web", query="harbour", limit=15).structured_content
    assert (search_reply["hits"][0]["title"], search_reply["source"]) == (first, "live")
    assert search_reply["next_offset"] == (15 if not key else None)
    assert "the search service of YARDKIT_SEARCH_URL returned no results" in read_text(
        call("search_web", query="harbour")
    )


def test_gta_gets_a_numbered_list(sites: Path) -> None:
    search = make_caller(load_server("web", "gta"))
    text = read_text(search("GoogleSearch", query="harbour museum", k=2))
    assert text.startswith("1 - Harbour museum: Ships and tools.")
    assert "\n\n2 - " in text
    assert "3 - " not in text
    assert read_text(search("GoogleSearch", query="zebra")) == "No good Google Search Result was found"
