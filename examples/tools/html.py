"""Examples of html: the pages of a small bakery."""

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tools.example import Example, Gallery

MENU = """---
title: Menu
---

# Harbour Bakery

Fresh from the oven **every morning** from six[^1]. A loaf of radius $r$ keeps about $\\pi r^2$ of crust:

$$A = \\int_0^{2\\pi} \\frac{r^2}{2}\\,d\\varphi = \\pi r^2$$

## Opening hours

| Day | From | To | Loaves |
|:----|:----:|:--:|-------:|
| Monday to Friday | 6:00 | 18:30 | 1,200 |
| Saturday | 6:30 | 14:00 | 950 |

## Order

1. Call us before noon
2. Pick up the next day
   - in the shop
   - at the ~~back door~~ counter
3. Enjoy

- [x] Rye is in the oven
- [ ] Spelt is *sold out*

> Bread is the *warmest*, kindest of words.

```python
def loaves(flour_kg: float) -> int:
    return int(flour_kg / 0.62)  # a remark on why this is so, that goes on beyond the edge of narrow pages
```

![A loaf of bread](bread.png)

See the [price list](prices.html) or write to `shop@harbour.example`.

---

[^1]: On Mondays from seven.
"""
LANDING = """
<header><nav><a href="menu.html">Menu</a> <a href="#visit">Visit</a> <a href="gone.html">Jobs</a></nav></header>
<main><h1>Harbour Bakery</h1><p class="lead">Sourdough by the sea.</p>
<section id="bread"><h2>Bread</h2><ul><li>Rye</li><li>Spelt</li><li>Baguette</li></ul></section>
<section id="visit"><h2>Visit us</h2><p>Quay 7, <b>Kiel</b></p><img src="bread.png">
<form><label for="mail">Mail</label> <input id="mail" type="email"> <input name="nolabel"> <button>Send</button></form>
<p style="color:#bbb;background:#fff">Closed on Sundays</p>
<div style="width:900px;background:#eee">Wide</div></section></main>
<footer><p>&copy; Harbour Bakery</p></footer>
"""
STYLE = """body { font-family: sans-serif; margin: 2rem; color: #222; background: #fff }
h1 { color: #7a3f0c } img { max-width: 100% } .note { background: #fff4d6; padding: .5rem }
@media (prefers-color-scheme: dark) { body { background: #1c1512; color: #f3e8dd } h1, a { color: #e0a672 }
.note { background: #4a3527 } }
@media print { nav, form { display: none } }
"""
CARD = """<!doctype html><html lang=en><head><meta charset=utf-8><title>{{title}}</title>
<link rel=stylesheet href=style.css></head><body><h1>{{title}}</h1><img src=bread.png alt='A loaf of bread'>
<ul>{{#breads}}<li>{{name}}: {{price}} EUR{{^stock}} (sold out){{/stock}}</li>{{/breads}}</ul>{{&note}}</body></html>
"""
BREADS = (
    {"name": "Rye", "price": 5.9, "stock": True},
    {"name": "Spelt & honey", "price": 6.4, "stock": False},
    {"name": "Baguette", "price": 2.1, "stock": True},
)
SHARES = [["Month", "Loaves", "Change", "Note"], ["July", 36400, 4.2, None], ["August", 41250, -1.5, "Fair"]]


def prepare_files(files: Path) -> None:
    bread = Image.new("RGB", (480, 240), "#f4e3c3")
    ImageDraw.Draw(bread).ellipse((60, 50, 420, 190), fill="#b5651d", outline="#7a3f0c", width=6)
    bread.save(files / "bread.png")
    (files / "style.css").write_text(STYLE)
    (files / "prices.csv").write_text(
        "Bread,Weight in g,Price in EUR\nRye,1000,5.90\nSpelt,750,6.40\nBaguette,250,2.10\nAll,2000,14.40\n"
    )
    (files / "card.html").write_text(CARD)


def make_op(what: str, selector: str, **given: Any) -> dict[str, Any]:
    return {"op": what, "selector": selector, **given}


def make_table_example(selector: str, **given: Any) -> Example:
    return Example("insert_page_table", {"path": "home.html", "selector": selector, **given}, ("home.html",))


MAKING = (
    Example("create_page", {"path": "menu.html", "markdown": MENU}, ("menu.html",)),
    Example("create_page", {"path": "prices.html", "title": "Prices", "markdown": "# Prices\n\nAll with tax."}),
    Example(
        "create_page", {"path": "home.html", "title": "Harbour Bakery", "html": LANDING, "css": STYLE}, ("home.html",)
    ),
    Example(
        "create_page",
        {
            "path": "week.html",
            "template": "card.html",
            "values": {"title": "Bread of the week", "breads": list(BREADS), "note": "<p class=note>Cash only</p>"},
        },
        ("week.html",),
    ),
)
EDITS = (
    make_op("set_text", "h1", value="Harbour Bakery & Café"),
    make_op("set_html", "p.lead", value="Sourdough <em>by the sea</em>, since 1931."),
    make_op("replace", "#bread li:nth-child(2)", value="<li>Spelt with honey</li>"),
    make_op("insert", "#bread ul", value="<li>Rolls</li><li>Pretzels</li>"),
    make_op("insert", "#visit h2", value="<p class=hint>Two minutes from the ferry.</p>", where="after"),
    make_op("wrap", "#visit b", value="<a href='https://maps.example/quay7'>"),
    make_op("unwrap", "#visit b"),
    make_op("set_attribute", "#visit img", name="alt", value="A loaf of bread"),
    make_op("add_class", "footer p, .hint", value="note", match="all"),
    make_op("remove_class", ".hint", value="hint"),
    make_op("replace_text", "footer", name="©", value="© 2026"),
    make_op("remove_attribute", "#mail", name="type"),
    make_op("remove", "nav a:last-child"),
)
READING = (
    Example("inspect_page", {"path": "home.html"}),
    Example("read_page_text", {"path": "menu.html"}),
    Example("read_page_text", {"path": "home.html", "format": "text", "selector": "main"}),
    Example("read_page_tables", {"path": "home.html"}),
    Example("list_page_links", {"path": "home.html"}),
    Example("list_page_links", {"path": "menu.html", "only_broken": True}),
    Example("query_elements", {"path": "home.html", "selector": "#bread li", "with_html": True}),
    Example("measure_elements", {"path": "home.html", "selector": "h1, .note, form, section div", "width": 390}),
    Example("check_page", {"path": "home.html"}),
    Example("compare_web_pages", {"path": "before.html", "other": "home.html"}),
)
SEEING = (
    Example("render_web_page", {"path": "home.html", "widths": [1280, 390]}),
    Example("render_web_page", {"path": "home.html", "dark": True, "widths": [800], "full_page": False}),
    Example("render_web_page", {"path": "home.html", "print_style": True, "widths": [800]}),
    Example("render_web_page", {"path": "menu.html", "selector": "table"}),
    Example("render_web_page", {"path": "menu.html", "widths": [390], "dark": True}),
    Example("print_page_to_pdf", {"path": "menu.html", "target": "menu.pdf"}, ("menu.pdf",)),
    Example(
        "print_page_to_pdf",
        {"path": "home.html", "target": "home.pdf", "paper": "A5", "landscape": True, "margin_mm": 8},
        ("home.pdf",),
    ),
    Example("bundle_page", {"path": "week.html", "target": "bundle/week.html"}, ("bundle/week.html",)),
)
GALLERY = Gallery(
    prepare_files,
    (
        *MAKING,
        Example("bundle_page", {"path": "home.html", "target": "before.html"}),
        Example("edit_page", {"path": "home.html", "edits": list(EDITS)}, ("home.html",)),
        make_table_example("#bread", source="prices.csv", caption="Prices from May"),
        make_table_example("#visit > p:last-of-type", rows=SHARES, where="after"),
        *READING,
        *SEEING,
    ),
)
