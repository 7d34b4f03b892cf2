"""The server `browser` on sites of a world: pages are used, their state is kept in a file, and forks go on from it."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from support.answers import make_caller, read_facts, read_text

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.browser.engine import live_pages
from yardkit.servers.browser.engine.trees import places_of, spans_of
from yardkit.servers.browser.server import mcp
from yardkit.world import Problem, World, use_world

call, theirs = make_caller(mcp), make_caller(load_server("browser", "toolathlon"))
SHOP = """<!doctype html><title>Shop</title><link rel=stylesheet href=/look.css><h1>Harbour shop</h1>
<nav><a href="/cart">Cart</a> <a href="/terms" target=_blank>Terms</a></nav>
<label>Name <input id=n></label>
<select id=s aria-label=Size><option value=s>Small</option><option value=l>Large</option></select>
<button onclick="localStorage.n = (+localStorage.n || 0) + 1; document.cookie = 'c=' + localStorage.n + ';max-age=99';
 out.textContent = localStorage.n + ' for ' + n.value + ', ' + s.value">Add</button>
<button onclick="out.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button><p id=out></p>
<form action="/thanks" method=post><input name=mail aria-label=Mail><input type=file name=f aria-label=File>
<button>Send</button></form><iframe src="https://news.example/ticker" title=News></iframe>"""
CART = """<title>Cart</title><h1 id=h></h1><script>localStorage.seen = (+localStorage.seen || 0) + 1;
h.textContent = 'In cart: ' + (localStorage.n || 0) + ', seen ' + localStorage.seen + ', ' + document.cookie</script>"""
PAGES = {
    "shop.example/index.html": SHOP,
    "shop.example/look.css": "body { background: rgb(0, 128, 128) }",
    "shop.example/cart.html": CART,
    "shop.example/thanks.html": "<title>Thanks</title><h1>Thank you</h1>",
    "shop.example/advert.html": "<title>Advert</title><h1>Sale</h1><script>open('https://gone.example/')</script>",
    "shop.example/terms.md": "# Terms\n\nNone.",
    "shop.example/long.html": "<title>Long</title>" + "".join(f"<p>line {number} of many</p>" for number in range(400)),
    "news.example/ticker.html": "<button onclick=\"this.textContent='Read'\">News</button>",
}


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    for name, text in PAGES.items():
        path = new_world.root / "apps" / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with use_world(new_world):
        yield new_world


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    live_pages.warm_browser()
    yield
    live_pages.stop_browsers()


def call_browser(tool: str, **arguments: Any) -> Any:
    return read_facts(call(tool, **arguments))


def refuse_call(tool: str, *, by: Any = call, **arguments: Any) -> str:
    answer = by(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def find_ref(page: Any, element: str) -> str:
    """The ref of an element, such as ``button "Add"``."""
    tree = page if isinstance(page, str) else page["tree"]
    match = re.search(rf"{re.escape(element)}.*?\[ref=(\w+)\]", tree)
    assert match, tree
    return match[1]


def read_session(world: World) -> Any:
    return json.loads((world.root / "apps" / "browser" / "session.json").read_text())


def test_a_page_is_read_clicked_and_seen(world: World) -> None:
    page = call_browser("open_page", url="shop.example")
    assert (page["title"], page["url"]) == ("Shop", "https://shop.example/")
    assert "1 for , s" in call_browser("click_element", ref=find_ref(page, 'button "Add"'))["tree"]
    assert call_browser("find_in_page", query='BUTTON "add')["lines"] == [
        {"line": 14, "text": '- button "Add" [active] [ref=e9]'}
    ]
    assert read_text(call("take_page_picture", target="shop.png")).startswith("shop.png (image/png, ")
    assert [tab_input["do"] for tab_input in read_session(world)["tabs"][0]["inputs"]] == ["click"]


@pytest.mark.drill
def test_a_page_is_used_and_a_fork_goes_on_where_it_was(world: World, tmp_path: Path) -> None:
    page = call_browser("open_page", url="shop.example")
    call_browser("type_text", ref=find_ref(page, 'textbox "Name"'), text="Mira")
    call_browser("select_option", ref=find_ref(page, 'combobox "Size"'), values=["Large"])
    inside = call_browser("click_element", ref=find_ref(page, 'button "News"'))
    assert 'button "Read"' in inside["tree"]
    live = call_browser("click_element", ref=find_ref(page, 'button "Add"'))
    assert "1 for Mira, l" in live["tree"]
    before = world.state_hash()
    assert call_browser("read_page_tree")["tree"] == live["tree"]
    assert world.state_hash() == before
    fork = World.open(Path(shutil.copytree(world.root, tmp_path / "fork")))
    assert "2 for Mira, l" in call_browser("click_element", ref=find_ref(page, 'button "Add"'))["tree"]
    with use_world(fork):
        assert call_browser("read_page_tree")["tree"] == live["tree"]
        assert "2 for Mira, l" in call_browser("click_element", ref=find_ref(page, 'button "Add"'))["tree"]
    assert fork.state_hash() == world.state_hash()


@pytest.mark.drill
def test_cookies_and_storage_stay_and_a_page_that_is_made_again_counts_once(world: World) -> None:
    page = call_browser("open_page", url="shop.example")
    call_browser("click_element", ref=find_ref(page, 'button "Add"'))
    cart = call_browser("click_element", ref=find_ref(page, 'link "Cart"'))
    assert "In cart: 1, seen 1, c=1" in cart["tree"]
    live_pages.stop_browsers()
    assert call_browser("read_page_tree")["tree"] == cart["tree"]
    assert call_browser("go_back")["title"] == "Shop"
    assert "seen 2" in call_browser("go_back", forward=True)["tree"]
    assert "no later page" in refuse_call("go_back", forward=True)


@pytest.mark.drill
def test_what_a_page_sends_is_noted_once(world: World) -> None:
    (world.files / "a.txt").write_text("hello")
    page = call_browser("open_page", url="shop.example")
    call_browser("upload_file", ref=find_ref(page, 'button "File"'), paths=["a.txt"])
    assert (
        call_browser("type_text", ref=find_ref(page, 'textbox "Mail"'), text="m@x.example", submit=True)["title"]
        == "Thanks"
    )
    live_pages.stop_browsers()
    call_browser("read_page_tree")
    (post,) = read_session(world)["posts"]
    assert (post["url"], post["body"]) == ("https://shop.example/thanks", "mail=m%40x.example&f=a.txt")


FIELDS = """<title>Fields</title><button disabled>Pay</button><input readonly value=x aria-label=Number>
<select aria-label=Colour><option>Red<option disabled>Blue</select><input type=date aria-label=Day value=2026-03-01>
<input type=number aria-label=Pieces><input maxlength=3 aria-label=Code><button>Plain</button>
<input type=file id=hidden style="display:none" onchange="document.title = this.files[0].name">
<button onclick="document.getElementById('hidden').click()">Choose</button><input type=file aria-label=Field>
<div style="position: relative"><button>Under</button><div style="position: absolute; inset: 0">over</div></div>"""


@pytest.mark.drill
def test_what_an_element_cannot_take_is_said_and_changes_nothing(world: World) -> None:
    (world.root / "apps" / "web" / "shop.example" / "fields.html").write_text(FIELDS)
    (world.files / "a.txt").write_text("hello")
    page = call_browser("open_page", url="shop.example/fields")
    refusals: dict[tuple[str, str], tuple[dict[str, Any], str]] = {
        ("click_element", 'button "Pay"'): ({}, "is disabled"),
        ("click_element", 'button "Under"'): ({}, "intercepts pointer events"),
        ("type_text", 'textbox "Number"'): ({"text": "y"}, "is read-only"),
        ("type_text", 'textbox "Day"'): ({"text": "16.03.2026"}, "not a valid value of this date field"),
        ("type_text", 'spinbutton "Pieces"'): ({"text": "1,5"}, "give one such as 12.5"),
        ("type_text", 'textbox "Code"'): ({"text": "long"}, "takes at most 3 characters"),
        ("select_option", 'combobox "Colour"'): ({"values": ["Green"]}, 'no option "Green"; there are "Red", "Blue"'),
        ("upload_file", 'button "Plain"'): ({"paths": ["a.txt"]}, "does not ask for files"),
    }
    for (tool, element), (arguments, why) in refusals.items():
        assert why in refuse_call(tool, ref=find_ref(page, element), **arguments)
    day = find_ref(page, 'textbox "Day"')
    assert call_browser("run_page_script", script="e => e.value", ref=day)["value"] == '"2026-03-01"'
    assert "2026-03-16" in call_browser("type_text", ref=day, text="2026-03-16")["tree"]


@pytest.mark.drill
@pytest.mark.parametrize("clicks_first", [True, False])
def test_files_are_given_to_a_field_and_to_the_button_that_opens_one(world: World, clicks_first: bool) -> None:
    (world.root / "apps" / "web" / "shop.example" / "fields.html").write_text(FIELDS)
    (world.files / "a.txt").write_text("hello")
    page = call_browser("open_page", url="shop.example/fields")
    for element in ('button "Choose"', 'button "Field"'):
        ref = find_ref(page, element)
        if clicks_first:
            assert "upload them to go on" in refuse_call("click_element", ref=ref)
        assert call_browser("upload_file", ref=ref, paths=["a.txt"])["title"] == "a.txt"
    script = "() => [...document.querySelectorAll('[type=file]')].map(field => field.files[0].name)"
    assert call_browser("run_page_script", script=script)["value"] == '["a.txt", "a.txt"]'


ORDER = """<form action=/thanks method=post><label>Mail <input type=email required></label>
<label>Level <input type=range max=10></label><label>Digits <input oninput="value = value.replace(/\\D/g, '')"></label>
<fieldset disabled><label>Later <input></label></fieldset><label>Agree <input type=checkbox></label>
<select aria-label=Size><option>Small<option>Large</select><select multiple aria-label=Days><option>Mon<option>Tue
</select><div role=combobox aria-label=Own>pick</div><button>Order</button></form>
<a href=/prices.csv download>Prices</a><a href=/all.zip>All</a>"""


@pytest.fixture
def order(world: World) -> Any:
    site = world.root / "apps" / "web" / "shop.example"
    (site / "order.html").write_text(ORDER)
    (site / "prices.csv").write_text("lamp,3\n")
    (site / "all.zip").write_bytes(b"PK\3\4")
    return call_browser("open_page", url="shop.example/order")


@pytest.mark.drill
@pytest.mark.parametrize(
    ("tool", "element", "arguments", "why"),
    [
        ("type_text", 'textbox "Later"', {"text": "x"}, "the field is disabled"),
        ("type_text", 'checkbox "Agree"', {"text": "yes"}, "into a checkbox; click it"),
        ("type_text", 'combobox "Size"', {"text": "Large"}, "select one of its options"),
        ("type_text", 'combobox "Own"', {"text": "x"}, "text cannot be typed into this element"),
        ("select_option", 'combobox "Own"', {"values": ["x"]}, "not a list of options"),
        ("select_option", 'combobox "Size"', {"values": ["Small", "Large"]}, "takes one option only"),
    ],
)
def test_what_an_element_is_not_for_is_said_and_leaves_the_page(
    order: Any, tool: str, element: str, arguments: dict[str, Any], why: str
) -> None:
    call_browser("run_page_script", script="() => { window.mark = 1 }")
    assert why in refuse_call(tool, ref=find_ref(order, element), **arguments)
    assert call_browser("run_page_script", script="() => window.mark")["value"] == "1"


@pytest.mark.drill
def test_a_step_that_the_page_takes_otherwise_has_a_note(order: Any) -> None:
    def note_of(tool: str, element: str, **arguments: Any) -> str:
        return " ".join(call_browser(tool, ref=find_ref(order, element), **arguments).get("notes", []))

    assert 'the field "Mail" is not valid: Please fill out this field.' in note_of("click_element", 'button "Order"')
    assert 'now holds "10"' in note_of("type_text", 'slider "Level"', text="11")
    assert 'now holds "12"' in note_of("type_text", 'textbox "Digits"', text="a1b2")
    assert "'prices.csv' for saving" in note_of("click_element", 'link "Prices"')
    assert note_of("type_text", 'textbox "Mail"', text="ada@example.org") == ""
    assert note_of("select_option", 'listbox "Days"', values=["Mon", "Tue"]) == ""
    assert call_browser("click_element", ref=find_ref(order, 'button "Order"'))["title"] == "Thanks"


@pytest.mark.drill
def test_files_of_a_site_and_pictures_are_shown_as_what_they_are(world: World, order: Any) -> None:
    opened = call_browser("click_element", ref=find_ref(order, 'link "All"'))
    assert "leads to a file of the kind ZIP of 4 bytes" in opened["tree"]
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    (world.root / "apps" / "web" / "shop.example" / "map.svg").write_text(drawn)
    assert 'img "map.svg"' in call_browser("open_page", url="shop.example/map.svg")["tree"]


@pytest.mark.drill
def test_pages_in_other_charsets_and_documents_are_shown_as_what_they_are(world: World) -> None:
    site = world.root / "apps" / "web" / "shop.example"
    (site / "old.html").write_bytes('<meta charset="windows-1252"><p>Köln, 5 €</p>'.encode("cp1252"))
    (site / "terms.pdf").write_bytes(b"%PDF-1.4\n")
    assert "Köln, 5 €" in call_browser("open_page", url="shop.example/old")["tree"]
    assert "leads to a PDF document of 9 bytes" in call_browser("open_page", url="shop.example/terms.pdf")["tree"]


@pytest.mark.drill
def test_a_dialog_waits_for_its_answer(world: World) -> None:
    page = call_browser("open_page", url="shop.example")
    ask = find_ref(page, 'button "Ask"')
    assert "shows a dialog (confirm) that says 'Sure?'" in refuse_call("click_element", ref=ask)
    assert "shows a dialog" in refuse_call("read_page_tree")
    assert ': "yes"' in call_browser("click_element", ref=ask, accept=True)["tree"]
    assert ': "no"' in call_browser("click_element", ref=ask, accept=False)["tree"]


@pytest.mark.drill
def test_a_picture_shows_the_page_with_its_styles(world: World) -> None:
    call_browser("open_page", url="shop.example")
    taken = call("take_page_picture", target="shots/shop.png")
    assert read_text(taken).startswith("shots/shop.png (image/png, ")
    with PIL.Image.open(world.files / "shots" / "shop.png") as picture:
        assert picture.size == (1280, 800)
        assert picture.convert("RGB").getpixel((1270, 790)) == (0, 128, 128)


@pytest.mark.drill
def test_tabs_are_opened_switched_and_closed(world: World) -> None:
    page = call_browser("open_page", url="shop.example")
    terms = call_browser("click_element", ref=find_ref(page, 'link "Terms"'))
    assert (terms["url"], terms["tabs"]) == ("https://shop.example/terms", 2)
    assert "# Terms" in terms["tree"]
    assert call_browser("switch_tab", number=0)["title"] == "Shop"
    assert [tab["url"] for tab in call_browser("close_tab", number=1)["tabs"]] == ["https://shop.example/"]
    assert "there is no tab 7" in refuse_call("switch_tab", number=7)


@pytest.mark.drill
def test_a_page_is_shown_although_the_window_that_it_opens_is_not_there() -> None:
    page = call_browser("open_page", url="shop.example/advert")
    assert page["title"] == "Advert"
    assert any("the page opened a window for https://gone.example/" in line for line in page["errors"])


@pytest.mark.drill
def test_what_is_not_there_is_told_and_the_session_stays(world: World) -> None:
    call_browser("open_page", url="shop.example")
    before = read_session(world)
    assert "there is no such site" in refuse_call("open_page", url="http://169.254.169.254/latest")
    for url in ("file:///etc/passwd", "chrome://version", "javascript:alert(1)", "data:text/html,x", "about:version"):
        assert "is not a valid web address" in refuse_call("open_page", url=url)
    moved = call_browser("run_page_script", script="() => { location = 'file:///etc/passwd' }")
    assert moved["page"]["url"] == "https://shop.example/"
    before = read_session(world)
    assert "Ref e999 not found" in refuse_call("click_element", ref="e999")
    assert "SyntaxError" in refuse_call("run_page_script", script="() => {")
    assert read_session(world) == before
    assert call_browser("open_page", url="shop.example/none")["title"] == "404 Not Found"
    assert (
        call_browser("run_page_script", script="() => new Date().toISOString().slice(0, 16)")["value"]
        == '"2026-03-16T09:00"'
    )
    blocked = call_browser(
        "run_page_script", script="() => fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'blocked')"
    )
    assert blocked["value"] == '"blocked"'
    (world.root / "apps" / "browser" / "session.json").write_text("{")
    assert "session.json, is damaged" in refuse_call("list_tabs")


def test_a_tree_is_parted_in_spans_of_whole_lines() -> None:
    tree = "\n".join(f"- line {number}" for number in range(50))
    spans = spans_of(tree, 100)
    assert "\n".join(spans) == tree
    assert max(map(len, spans)) <= 100
    (place,) = places_of(tree, "LINE 4\\d|line 49$", any_case=False, size=100)
    assert (place.line, spans[place.span].split("\n")[place.in_span - 1]) == (50, "- line 49")
    with pytest.raises(Problem, match="is not a valid pattern"):
        places_of(tree, "(", any_case=True)


def call_foreign(tool: str, **arguments: Any) -> str:
    answer = theirs(f"browser_{tool}", **arguments)
    assert not answer.is_error, read_text(answer)
    return read_text(answer)


@pytest.mark.drill
def test_playwright_navigates_through_spans() -> None:
    text = call_foreign("navigate", url="https://shop.example/long")
    assert text.startswith(
        "### Page state\n- Page URL: https://shop.example/long\n- Page Title: Long\n- Page Snapshot (span 1 of "
    )
    assert text.endswith("\n```")
    assert call_foreign("snapshot_navigate_to_next_span").startswith("### Result\nNavigated to span 2 of ")
    assert "Navigated to span 3 of" in call_foreign("snapshot_navigate_to_next_span")
    assert "Navigated to span 2 of" in call_foreign("snapshot_navigate_to_prev_span")
    last = call_foreign("snapshot_navigate_to_last_span")
    assert "line 399 of many" in last
    assert "line 0 of many" in call_foreign("snapshot_navigate_to_first_span")
    assert "Navigated to span 2 of" in call_foreign("snapshot_navigate_to_span", spanIndex=1)
    search_result = call_foreign("snapshot_search", pattern="LINE 1\\d\\d of", flags="gi")
    assert search_result.startswith("### Result\nFound 100 matches in ")
    line = int(re.search(r"Global Line (\d+)", search_result)[1])
    excerpt = call_foreign("snapshot_navigate_to_line", globalLineNumber=line, contextLines=1)
    assert [excerpt_line[:3] for excerpt_line in excerpt.split("```yaml\n")[1].split("\n")[:3]] == ["   ", ">>>", "   "]
    assert "line 100 of many" in excerpt.split(">>>")[1]
    assert call_foreign("snapshot_search", pattern="zebra") == "### Result\nNo matches found for pattern: zebra"
    assert "out of range" in refuse_call("browser_snapshot_navigate_to_line", by=theirs, globalLineNumber=9_999)


@pytest.mark.drill
def test_playwright_uses_a_page(world: World) -> None:
    (world.files / "a.txt").write_text("hello")
    page = call_foreign("navigate", url="shop.example")
    name, size, add, ask, file = (
        find_ref(page, element_name)
        for element_name in ('textbox "Name"', 'combobox "Size"', 'button "Add"', 'button "Ask"', 'button "File"')
    )
    assert ": Mira" in call_foreign("type", element="Name", ref=name, text="Mira", slowly=True)
    call_foreign("press_key", key="!")
    call_foreign("select_option", element="Size", ref=size, values=["l"])
    call_foreign("hover", element="Add", ref=add)
    assert "1 for Mira!, l" in call_foreign("click", element="Add", ref=add)
    assert "waits" in refuse_call("browser_click", by=theirs, element="Ask", ref=ask)
    assert ': "yes"' in call_foreign("handle_dialog", accept=True)
    assert "is open, so there is nothing to answer" in refuse_call("browser_handle_dialog", by=theirs, accept=True)
    assert "asks for files" in refuse_call("browser_click", by=theirs, element="File", ref=file)
    call_foreign("file_upload", paths=["a.txt"])
    assert call_foreign("evaluate", function="e => e.value", element="Name", ref=name).startswith(
        '### Result\n"Mira!"\n'
    )
    assert "[GET] https://shop.example/look.css => [200]" in call_foreign("network_requests")
    call_foreign("evaluate", function="() => console.log('said')")
    assert "[LOG] said" in call_foreign("console_messages")
    assert "Waited for yes" in call_foreign("wait_for", text="yes")
    assert "must be provided" in refuse_call("browser_wait_for", by=theirs)
    shot = call_foreign("take_screenshot", filename="shot.png", element="Add", ref=add)
    assert shot == "### Result\nTook the element screenshot and saved it as shot.png"
    assert "a.txt" in call_foreign("evaluate", function="() => document.querySelector('[type=file]').files[0].name")


@pytest.mark.drill
def test_playwright_has_tabs_and_windows() -> None:
    call_foreign("navigate", url="shop.example")
    assert "- 1: (current) [Cart] (https://shop.example/cart)" in call_foreign(
        "tab_new", url="https://shop.example/cart"
    )
    assert "- 0: (current) [Shop] (https://shop.example/)" in call_foreign("tab_select", index=0)
    assert (
        call_foreign("tab_close", index=1)
        == call_foreign("tab_list")
        == "### Open tabs\n- 0: (current) [Shop] (https://shop.example/)"
    )
    call_foreign("navigate", url="https://shop.example/terms")
    assert "Page Title: Shop" in call_foreign("navigate_back")
    assert "shop.example/terms" in call_foreign("navigate_forward")
    assert "shop.example/terms" in call_foreign("resize", width=500, height=400)
    assert call_foreign("evaluate", function="() => innerWidth").startswith("### Result\n500\n")
    assert "installed" in call_foreign("install")
    assert call_foreign("close") == "### Result\nNo open pages available."


@pytest.mark.drill
def test_playwright_drags(world: World) -> None:
    (world.root / "apps" / "web" / "shop.example" / "drag.html").write_text(
        "<button draggable=true>Box</button><button ondragover='event.preventDefault()' "
        "ondrop=\"this.textContent = 'Dropped'\">Place</button>"
    )
    page = call_foreign("navigate", url="shop.example/drag")
    box, place = find_ref(page, 'button "Box"'), find_ref(page, 'button "Place"')
    assert 'button "Dropped"' in call_foreign("drag", startElement="b", startRef=box, endElement="p", endRef=place)
    assert 'button "Dropped"' in call_foreign("snapshot")
