"""Tables that can be rendered in a page, as Markdown and as text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from yardkit.kit.markup import Html, clean_text, make_tag


@dataclass(frozen=True)
class Table:
    """A table; the first cell of each row is its name.

    Attributes:
        about: a sentence below the title, or empty.
        notes: explanations of row names; shown below them in a page, and in an additional column in other formats.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    about: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def list_lines(self) -> list[Sequence[str]]:
        """List the heads and rows, with any notes as the last column."""
        if not self.notes:
            return [self.heads, *self.rows]
        return [[*self.heads, ""], *([*row, self.notes.get(row[0], "")] for row in self.rows)]


def section_of(table: Table, *more: Html | None) -> Html:
    """Render the table as a section of a page, with the content below it."""
    head = make_tag("tr", [make_tag("th", head) for head in table.heads])
    rows = [
        make_tag("tr", _build_name_cell(table, row[0]), [make_tag("td", cell) for cell in row[1:]])
        for row in table.rows
    ]
    table_element = make_tag("table", make_tag("thead", head), make_tag("tbody", rows))
    about = make_tag("p", table.about, class_="quiet") if table.about else None
    return make_tag(
        "section", make_tag("h2", table.title), about, make_tag("div", table_element, class_="scroll"), more
    )


def _build_name_cell(table: Table, name: str) -> Html:
    note = table.notes.get(name)
    return make_tag("th", name, make_tag("small", note) if note else None, scope="row")


def markdown_of(table: Table) -> str:
    """Render the table as Markdown."""
    heads, *rows = table.list_lines()
    lines = [heads, ["---"] * len(heads), *rows]
    drawn = "\n".join(f"| {' | '.join(map(markdown_cell, line))} |" for line in lines)
    about = f"{markdown_cell(table.about)}\n\n" if table.about else ""
    return f"## {table.title}\n\n{about}{drawn}"


def text_of(table: Table) -> str:
    """Render the table with aligned columns, for a terminal."""
    lines = [list(map(clean_text, line)) for line in table.list_lines()]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    drawn = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([table.title, *([table.about] if table.about else []), *(f"  {line}" for line in drawn)])


def markdown_cell(text: str) -> str:
    """Escape text so that it ends neither a cell nor a line."""
    return clean_text(text).replace("|", "\\|").replace("\n", " ")
