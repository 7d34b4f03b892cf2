"""Markdown as a web page with a plain, printable look."""

from html import escape

STYLE = """\
:root { color-scheme: light; }
body { font-family: "Liberation Sans", Arial, sans-serif; font-size: 11pt; line-height: 1.5; color: #1f2328;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.4em 0 0.5em; break-after: avoid; }
h1 { font-size: 1.9em; } h2 { font-size: 1.45em; } h3 { font-size: 1.2em; }
a { color: #0a56b0; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #c8ccd1; padding: 0.3em 0.7em; text-align: left; vertical-align: top; }
th { background: #f3f4f6; }
tr { break-inside: avoid; }
pre { background: #f6f8fa; padding: 0.8em 1em; overflow-x: auto; white-space: pre-wrap; break-inside: avoid; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: 0.88em; }
blockquote { margin: 1em 0; padding: 0 1em; border-left: 4px solid #c8ccd1; color: #4a5058; }
hr { border: 0; border-top: 1px solid #c8ccd1; }
@media print { body { max-width: none; margin: 0; padding: 0; } }
"""


def markdown_body(text: str) -> str:
    """CommonMark with tables and strike-through as HTML; HTML in the text is shown as text."""
    from markdown_it import MarkdownIt

    made: str = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(text)
    return made


def markdown_title(text: str, otherwise: str) -> str:
    """The text of the first heading of the first level."""
    lines = (line.strip() for line in text.splitlines())
    return next((line.lstrip("#").strip() for line in lines if line.startswith("# ")), otherwise)


def page(body: str, *, title: str, language: str = "en", style: str = STYLE) -> str:
    """A whole HTML page around `body`."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language, quote=True)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
