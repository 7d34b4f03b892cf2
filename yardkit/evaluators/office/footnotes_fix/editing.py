"""How near misses change the solved article."""

import re
from collections.abc import Callable
from typing import Any

from yardkit.evaluators.proof import Solved

FILE = "article/nitrate_manuscript_v7.docx"
DEAD = "Error! Reference source not found."
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MARK = re.compile(r" \[(\d+(?:, \d+)*)\]")
INLINE = re.compile(r"\$([\\a-z][^$]*)\$")
Block = dict[str, Any]


def edit_article(work: Solved, change: Callable[[Any], object]) -> None:
    import docx

    read = docx.Document(str(work.files / FILE))
    change(read.element)
    read.save(str(work.files / FILE))


def replace_field_code(root: Any, kind: str, old: str, new: str) -> None:
    """Something in the code of the first field of a kind is replaced."""
    code = next(instruction for instruction in root.iter(f"{W}instrText") if kind in (instruction.text or ""))
    code.text = code.text.replace(old, new)


def paragraph_of(root: Any, begins: str) -> Any:
    """The last paragraph that begins so; the list of figures comes before the captions."""
    from docx.text.paragraph import Paragraph

    return [Paragraph(paragraph, None) for paragraph in root.iter(f"{W}p") if read_text(paragraph).startswith(begins)][
        -1
    ]


def read_text(element: Any) -> str:
    return "".join(text.text or "" for text in element.iter(f"{W}t"))


def replace_text(root: Any, old: str, new: str) -> None:
    for text in root.iter(f"{W}t"):
        if text.text and old in text.text:
            text.text = text.text.replace(old, new)


def text_run(before: Any, text: str) -> None:
    """Put a run with a text before an element."""
    from docx.oxml import OxmlElement

    run, text_element = OxmlElement("w:r"), OxmlElement("w:t")
    text_element.text = text
    text_element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    run.append(text_element)
    before.addprevious(run)
