"""Markdown as a web page with a plain, printable look."""

from html import escape
from typing import Any

from yardkit.kit.markdown.directions import add_directions
from yardkit.kit.markdown.formulas import add_formulas
from yardkit.kit.markdown.front_matter import front_title, without_front_matter
from yardkit.kit.markdown.heading_anchors import add_anchors
from yardkit.kit.markdown.inline_html import add_allowed
from yardkit.kit.markdown.task_lists import add_tasks
from yardkit.programs.bounded import run_bounded

PRELOAD = ("markdown_it", "mdit_py_plugins.dollarmath", "mdit_py_plugins.footnote", "ziamath")
_SECONDS, _MEMORY_BYTES = 60.0, 1_000_000_000
NOTATION = """\
.formula { max-width: none } .formula.display { display: block; margin: 0.9em auto }
.footnote-ref { font-size: 0.75em; line-height: 1 } .footnote-ref a, .footnote-backref { text-decoration: none }
.footnotes { font-size: 0.88em } .footnotes-sep { border: 0; border-top: 0.6pt solid #aaa; margin: 1.6em 0 0.8em }
.footnotes p { margin: 0 0 0.3em } .task { list-style: none; margin-left: -1.1em }
table[dir=rtl] { margin-left: auto; margin-right: 0 }
blockquote[dir=rtl] { border-left: 0; border-right: 3pt solid #ccc; padding-left: 0; padding-right: 10pt }
"""
"""CSS of what the parser makes beyond plain HTML."""
STYLE = (
    """\
:root { color-scheme: light; }
body { font-family: "Liberation Sans", Arial, sans-serif; font-size: 11pt; line-height: 1.5; color: #1f2328;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.4em 0 0.5em; break-after: avoid; }
h1 { font-size: 1.9em; } h2 { font-size: 1.45em; } h3 { font-size: 1.2em; }
a { color: #0a56b0; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #c8ccd1; padding: 0.3em 0.7em; text-align: start; vertical-align: top; }
th { background: #f3f4f6; }
tr { break-inside: avoid; }
pre { background: #f6f8fa; padding: 0.8em 1em; overflow-x: auto; white-space: pre-wrap; break-inside: avoid; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: 0.88em; }
blockquote { margin: 1em 0; padding: 0 1em; border-left: 4px solid #c8ccd1; color: #4a5058; }
hr { border: 0; border-top: 1px solid #c8ccd1; }
@media screen and (max-width: 48rem) {
  table { display: block; width: max-content; max-width: 100%; overflow-x: auto; } }
@media print { body { max-width: none; margin: 0; padding: 0; } }
"""
    + NOTATION
)


def to_html(text: str, *, html: bool = False) -> tuple[str, list[str]]:
    """Convert CommonMark with tables, strike-through, task lists, footnotes and formulas to the HTML body of a page.

    `html`: whether HTML in the text is kept; otherwise it is shown as text, except <br>, <sup> and <sub>, which
    Markdown lacks. Also returns notes: formulas that stay as source, omitted footnotes. YAML front matter is not part
    of the text. Headings have ids for links.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    notes: list[str] = []
    parser = MarkdownIt("commonmark", {"html": html}).enable(["table", "strikethrough"])
    add_tasks(parser)
    add_directions(parser)
    add_anchors(parser)
    parser.use(footnote_plugin, inline=False)
    add_formulas(parser, notes)
    add_allowed(parser)
    parser.add_render_rule("footnote_caption", _render_mark)
    seen: dict[str, Any] = {}
    html_text = str(parser.render(without_front_matter(text), seen))
    footnotes = seen.get("footnotes", {}).get("refs", {})
    uncited = [key.removeprefix(":")[:60] for key, number in footnotes.items() if number < 0]
    return html_text, notes + [f"left out, the footnote [^{key}] is cited nowhere" for key in uncited]


def body_of(text: str) -> tuple[str, list[str]]:
    """Run `to_html`, laying out formulas, which may take seconds, in a separate process."""
    if "$" not in text:
        return to_html(text)
    return run_bounded(to_html, text, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES)


def _render_mark(_self: Any, tokens: Any, at: int, _options: Any, _env: Any) -> str:
    """Render the mark of a footnote, the same at every citation."""
    return f"[{tokens[at].meta['id'] + 1}]"


def markdown_title(text: str, otherwise: str) -> str:
    """Return the title in the front matter, or the text of the first top-level heading."""
    lines = (line.strip() for line in text.splitlines())
    return front_title(text) or next((line.lstrip("#").strip() for line in lines if line.startswith("# ")), otherwise)


def wrap_page(body: str, *, title: str, language: str = "en", style: str = STYLE) -> str:
    """Wrap `body` in a complete HTML page."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language, quote=True)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
