"""What every solution does for the sheets that it leaves behind."""

from yardkit.evaluators.proof import Agent


def format_sheets(agent: Agent, path: str, *sheets: str, left: str = "", right: str = "", separator: str = "") -> None:
    """Make sheets that begin with a row of headings fit to be read and printed.

    The headings are bold, stay in view and repeat on each page; columns are as wide as what they hold, and all of them
    stand on one page. `left` names cells, such as "A:A", whose numbers are names and stand at the left; `right`
    headings of numbers, which stand above them; `apart` a column of words that would touch the numbers before it.
    """
    for sheet in sheets:
        place = {"path": path, "sheet": sheet}
        agent.call("format_cells", **place, range="1:1", bold=True, fill_color="D9E1F2")
        if left:
            agent.call("format_cells", **place, range=left, align="left")
        if right:
            agent.call("format_cells", **place, range=right, align="right")
        if separator:
            agent.call("format_cells", **place, range=separator, align="left", indent=1)
        agent.call("set_sheet_layout", **place, freeze_at="A2", autofit="all")
        agent.call("set_print", **place, title_rows="1:1", fit_wide=1)
