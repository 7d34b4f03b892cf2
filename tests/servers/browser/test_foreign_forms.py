"""Apps take forms of their own pages alone and each of them once, whatever the scripts of pages do."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call, read_facts
from support.web_pages import find_ref, session_of

from yardkit.apps.shop import APP, RECORDS, Gateway, Order, Settings
from yardkit.apps.store import open_store
from yardkit.servers.browser.engine import live_pages
from yardkit.servers.browser.engine.app_pages.hosts import answer_request
from yardkit.servers.shop.engine.catalog import save_product
from yardkit.world import World, use_world

SITE = "https://shop.example"
FIELDS = {
    "first_name": "Ann", "last_name": "Berg", "street": "Kai 3", "postcode": "04103", "city": "Leipzig",
    "country": "DE", "email": "ann@example.org", "payment": "bacs",
}  # fmt: skip
ORDER = "".join(f'<input name={name} value="{value}">' for name, value in FIELDS.items())
FORM = f'<form method=post action="{SITE}/checkout">{ORDER}<button>Win</button></form>'
SENDS = "<script>document.forms[0].submit()</script>"
PAGES = {
    "index": f"<title>News</title>{FORM}",
    "sends": f"{FORM}{SENDS}",
    "hides": f"<meta name=referrer content=no-referrer>{FORM}{SENDS}",
    "own": f"<form method=post action=/thanks></form>{SENDS}",
    "thanks": "<title>Thanks</title>",
    "reloads": "<script>location.reload()</script>",
    "nowhere": "<script>location = 'https://nowhere.example/'</script>",
    "stays": "<script>onbeforeunload = event => event.preventDefault()</script><button>Stay</button>",
}
FILL = f"for (const [name, value] of Object.entries({FIELDS!r})) document.getElementsByName(name)[0].value = value"


@pytest.fixture(autouse=True)
def pages(world: World) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Settings(1, "Harbour", "https://shop.harbour.example"))
        store.put(Gateway("bacs", "Transfer", "", enabled=True, position=1))
    save_product(world, None, {"name": "Lamp", "price_cents": 5_500, "stock": 30})
    site = world.root / "apps/web/news.example"
    site.mkdir(parents=True)
    for name, text in PAGES.items():
        (site / f"{name}.html").write_text(text)


def count_orders(world: World) -> int:
    with open_store(APP, *RECORDS, world=world) as store:
        return len(store.find(Order))


def list_cart_cookies(world: World) -> list[str]:
    return [cookie["value"] for cookie in session_of(world)["state"]["cookies"] if cookie["name"] == "cart"]


def fill_cart(done: Call) -> Any:
    page = done("open_page", url=f"{SITE}/product/1")
    return done("click_element", ref=find_ref(page, 'button "Put into cart"'))


@pytest.mark.drill
def test_a_site_orders_nothing_when_it_is_opened_nor_when_its_form_is_sent(world: World, done: Call) -> None:
    fill_cart(done)
    for name in ("sends", "hides", "sends"):
        page = done("open_page", url=f"https://news.example/{name}")
        assert (page["url"], page["title"]) == (f"{SITE}/checkout", "Not taken")
        assert "shop.example takes what its own pages send" in page["tree"]
        done("run_page_script", script="() => { location.reload() }")
        live_pages.stop_browsers()
        assert done("read_page_tree")["title"] in ("Not taken", "Checkout")
    page = done("open_page", url="https://news.example")
    assert "this came from news.example" in done("click_element", ref=find_ref(page, 'button "Win"'))["tree"]
    assert done("go_back")["title"] == "News"
    assert (count_orders(world), list_cart_cookies(world)) == (0, ["1x1"])


@pytest.mark.parametrize(
    "origin", ["https://news.example", "null", "", "https://shop.example.news.example", "https://shop.example:8443"]
)
@pytest.mark.parametrize(
    "url", [f"{SITE}/checkout", f"{SITE}/cart/add", "https://courses.example/courses/1/assignments/1"]
)
def test_an_app_takes_nothing_of_another_origin(world: World, origin: str, url: str) -> None:
    before = world.state_hash()
    kind, body = "application/x-www-form-urlencoded", "product=1&quantity=1"
    request = {"method": "POST", "url": url, "top": True, "body": body, "kind": kind, "cookies": {}}
    given = answer_request(world, {**request, "origin": origin})
    assert given
    assert (given["status"], "then" in given, "This was not accepted" in given["body"]) == (403, False, True)
    assert world.state_hash() == before
    assert "then" in (answer_request(world, {**request, "origin": "/".join(url.split("/")[:3])}) or {})


@pytest.mark.drill
def test_a_dialog_after_a_form_was_taken_does_not_send_it_again(
    world: World, done: Call, call: Call, tmp_path: Path
) -> None:
    fill_cart(done)
    page = done("open_page", url=f"{SITE}/checkout")
    handler_script = "document.querySelector('main form').onsubmit = () => { setTimeout(() => confirm('Thanks?'), 0) }"
    done("run_page_script", script=f"() => {{ {FILL}; {handler_script} }}")
    fork = World.open(Path(shutil.copytree(world.root, tmp_path / "fork")))
    button = find_ref(page, 'button "Place order"')
    sent = done("click_element", ref=button)
    assert sent["url"].startswith(f"{SITE}/order/1/")
    live_pages.stop_browsers()
    assert done("read_page_tree")["tree"] == sent["tree"]
    call("click_element", ref=button, accept=True)
    with use_world(fork):
        assert read_facts(call("click_element", ref=button))["url"] == sent["url"]
    assert (count_orders(world), count_orders(fork), len(session_of(world)["posts"])) == (1, 1, 2)


@pytest.mark.drill
def test_a_step_that_fails_after_a_form_was_taken_keeps_its_cookies_and_what_was_sent(
    world: World, done: Call, refused: Call
) -> None:
    page = fill_cart(done)
    cookies = session_of(world)["state"]["cookies"]
    page = done("open_page", url=f"{SITE}/product/1")
    submits = "document.querySelector('form[method=post]').submit(); await new Promise(done => setTimeout(done, 500))"
    message = refused("run_page_script", script=f"async () => {{ {submits}; throw new Error('odd') }}")
    assert "odd" in message
    assert "do not submit it again" in message
    (cookie,) = session_of(world)["state"]["cookies"]
    assert cookie == {**cookies[0], "value": "1x2"}
    assert [post["body"] for post in session_of(world)["posts"]] == ["product=1&quantity=1"] * 2
    assert done("read_page_tree")["tree"] == page["tree"]
    assert 'cell "110.00 EUR"' in done("open_page", url=f"{SITE}/cart")["tree"]


@pytest.mark.drill
def test_a_form_that_a_page_sends_later_counts_once_and_its_answer_is_kept(world: World, done: Call) -> None:
    fill_cart(done)
    done("open_page", url=f"{SITE}/checkout")
    sends = "setTimeout(() => document.querySelector('main form').submit(), 600)"
    done("run_page_script", script=f"() => {{ {FILL}; {sends} }}")
    looks = (done("read_page_tree") for _ in range(50))
    page = next(page for page in looks if "/order/1/" in page["url"])
    live_pages.stop_browsers()
    assert done("read_page_tree")["tree"] == page["tree"]
    assert (count_orders(world), list_cart_cookies(world), len(session_of(world)["posts"])) == (1, [""], 2)


@pytest.mark.drill
def test_an_address_ends_at_a_page_or_is_refused_in_plain_words(world: World, done: Call, refused: Call) -> None:
    assert done("open_page", url="https://news.example/own")["title"] == "Thanks"
    before = world.state_hash()
    assert "nowhere.example/; there is no such site" in refused("open_page", url="https://news.example/nowhere")
    assert "never finishes loading" in refused("open_page", url="https://news.example/reloads")
    for url in ("http://[x", "https://news.example:99999/", "http://a b/"):
        assert "is not a valid web address" in refused("open_page", url=url)
    assert world.state_hash() == before
    page = done("open_page", url="https://news.example/stays")
    done("click_element", ref=find_ref(page, 'button "Stay"'))
    assert done("open_page", url="https://news.example/thanks")["title"] == "Thanks"
    assert done("open_page", url="https://news.example/%zz")["title"] == "404 Not Found"


def test_a_damaged_shop_says_so_at_its_own_address_alone(world: World) -> None:
    (world.root / "apps/shop/shop.sqlite").write_bytes(b"garbage" * 1_000)
    page_request = {"method": "GET", "top": True, "body": "", "kind": "", "cookies": {}}
    assert answer_request(world, {**page_request, "url": "https://elsewhere.example/"}) is None
    given = answer_request(world, {**page_request, "url": SITE})
    assert given
    assert (given["status"], "is damaged" in given["body"]) == (500, True)
