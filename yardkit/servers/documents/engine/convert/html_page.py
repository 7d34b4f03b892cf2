"""A document as one HTML page that needs no other file."""

import re
from typing import Any

from yardkit.servers.documents.engine.convert.html_writer import to_tree
from yardkit.servers.documents.engine.markup.names import get_value
from yardkit.servers.documents.engine.package.document import Document

_PAGE = re.compile(r"[\divxlcdm]+|\?", re.IGNORECASE)
_TEMPLATE = """<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
body{{font:16px/1.5 "Liberation Sans",Arial,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1f2328}}
h1,h2,h3,h4{{line-height:1.25;margin:1.4em 0 .5em}}
table{{border-collapse:collapse;margin:1em 0}}
td,th{{border:1px solid #c8ccd1;padding:.3em .7em;vertical-align:top}}th{{text-align:left;background:#f3f4f6}}
.subtitle{{font-size:1.2em;color:#4a5058}}.caption{{font-size:.9em;font-style:italic;color:#4a5058}}
.toc-heading{{font-size:1.2em;font-weight:bold;margin-bottom:.3em}}.toc{{margin:.2em 0}}
.toc-2{{margin-left:1.5em}}.toc-3{{margin-left:3em}}.toc-4,.toc-5,.toc-6{{margin-left:4.5em}}
.box{{border:1px solid #c8ccd1;padding:.2em 1em;margin:1em 0}}.drawn{{font-size:.9em;color:#4a5058}}
.task{{list-style:none}}.footnotes{{border-top:1px solid #c8ccd1;margin-top:2em;font-size:.9em}}
pre{{background:#f4f4f4;padding:.8em;overflow:auto}}
blockquote{{border-left:3px solid #999;margin-left:0;padding-left:1em}}
math{{font-family:"Cambria Math","STIX Two Math","DejaVu Math TeX Gyre",math}}
img{{max-width:100%}}.math.display{{display:block;text-align:center}}
</style></head><body>
{body}
</body></html>
"""


def build_page(document: Document, title: str) -> tuple[str, list[str]]:
    """The document as one HTML page that needs no other file, and what to know of it."""
    from html import escape

    from lxml import etree

    tree = to_tree(document)
    for item in tree.iter("li"):
        item.attrib.pop("data-label", None)
    notes = [note for node in list(tree.iter("span")) if (note := _show_math(node))]
    for line in tree.xpath(".//p[starts-with(@class, 'toc ')]"):
        _cut_page(line)
    body = "\n".join(etree.tostring(child, encoding="unicode", method="html") for child in tree)
    language = (
        get_value(document.root(document.ensure_part("styles")), "w:docDefaults/w:rPrDefault/w:rPr/w:lang") or "en"
    )
    return _TEMPLATE.format(lang=escape(language), title=escape(title), body=body), notes


def _cut_page(line: Any) -> None:
    """Take the number of the page from a line of contents: a web page has none."""
    texts = line.xpath(".//text()")
    entry_text, tab, number = "".join(texts).rpartition("\t")
    if not tab or not _PAGE.fullmatch(number.strip()):
        return
    left = len(entry_text)
    for text in texts:
        setattr(text.getparent(), "tail" if text.is_tail else "text", text[: max(left, 0)])
        left -= len(text)


def _show_math(node: Any) -> str:
    """Put MathML in place of LaTeX, which stays as its alternative text; what to know where it cannot be had."""
    if "math" not in (node.get("class") or ""):
        return ""
    from latex2mathml.converter import convert
    from lxml import etree

    latex = node.text or ""
    display = "display" in (node.get("class") or "")
    try:
        math_element = etree.fromstring(convert(latex, display="block" if display else "inline"))
    except Exception:  # noqa: BLE001 - the converter raises many kinds; the formula then stays as LaTeX
        return f"not set as a formula, only its LaTeX is shown: {latex[:150]}"
    math_element.set("alttext", latex)
    node.text = None
    node.append(math_element)
    return ""
