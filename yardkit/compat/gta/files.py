"""Text files in the dialect of GTA: a page from its HTML code."""

import re

from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.world import FileRef, Problem, save_text

_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_PAGE = """\
<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title>{title}</title>
</head>
<body>
{body}
</body>
</html>
"""


def HtmlFileGenerator(filename: str, html_code: str, output_dir: OutputDir = None) -> Delivered:
    path = choose_deliverable(filename, ".html", output_dir)
    save_text(path, _complete_page(_strip_fence(html_code), path.stem))
    return Delivered(FileRef.from_path(path))


def _strip_fence(code: str) -> str:
    blocks = [] if code.lstrip().startswith("<") else _FENCED.findall(code)  # a page may show Markdown itself
    if len(blocks) > 1:
        raise Problem(f"html_code holds {len(blocks)} Markdown blocks; put styles and scripts into one HTML page")
    return str(blocks[0]) if blocks else code


def _complete_page(code: str, title: str) -> str:
    from html import escape

    return code if "<html" in code.lower() else _PAGE.format(title=escape(title), body=code.strip())
