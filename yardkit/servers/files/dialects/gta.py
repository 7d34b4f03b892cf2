"""Text files in the dialect of GTA: a page from its HTML code."""

import re
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, FileName, OutputDir, choose_deliverable
from yardkit.kit.surface import make_server, tool
from yardkit.world import FileRef, Problem, save_text

mcp = make_server("files", "Writes HTML files into the workspace.")

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


@tool(mcp, name="HtmlFileGenerator", writes=True, destructive=True)
def generate_html(
    filename: FileName,
    html_code: Annotated[
        str,
        Field(
            description="HTML code, bare or in a Markdown block; a fragment is made a whole HTML5 page.", min_length=1
        ),
    ],
    output_dir: OutputDir = None,
) -> Delivered:
    """Write an HTML file."""
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
