"""The shop has the new prices, and a page tells of them as pages did before."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.leaves.notes import read_note_page
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.app_records import Row
from yardkit.evaluators.readers.tables import is_near, to_date
from yardkit.evaluators.submission import Submission

PRODUCTS = Records("shop", "products")
PAGES, PARTS = Records("notes", "pages"), (Records("notes", "blocks"), Records("notes", "versions"))
HEAD = ("SKU", "Old", "New", "From")


def _list_new(of: Records, submission: Submission) -> list[Row]:
    known = {row["id"] for row in of.read_rows(submission.untouched)}
    return [row for row in of.read_rows(submission) if row["id"] not in known]


def _check_page(submission: Submission, facts: Facts) -> Finding:
    new_pages = _list_new(PAGES, submission)
    fitting = [
        page
        for page in new_pages
        if simplify_text(str(page["title"])) == simplify_text(facts["title"]) and not page["archived"]
    ]
    strays = [
        row["id"]
        for of in PARTS
        for row in _list_new(of, submission)
        if row["page_id"] not in {p["id"] for p in new_pages}
    ]
    places = [(page["parent_id"], page["table_id"]) for page in fitting]
    holds = len(new_pages) == 1 and places == [(facts["parent"], None)] and not strays
    page_rows = [(page["title"], page["parent_id"], page["table_id"]) for page in new_pages]
    return make_finding(
        holds, f"new pages: {page_rows}, wanted {facts['title']!r} in {facts['parent']}; strays: {strays[:5]}"
    )


def _check_table(submission: Submission, facts: Facts) -> Finding:
    pages = [read_note_page(submission, row["id"]) for row in _list_new(PAGES, submission)]
    tables = [block.rows for page in pages for block in page.blocks if block.kind == "table"]
    if (
        len(tables) != 1
        or not tables[0]
        or [simplify_text(cell) for cell in tables[0][0]] != [simplify_text(name) for name in HEAD]
    ):
        raise InvalidArtifact(f"the new pages have {len(tables)} tables; there should be one with {', '.join(HEAD)}")
    rows = [[cell.strip("*` ") for cell in row] for row in tables[0][1:]]
    problems = [f"{true} is not stated" for true in facts["rows"] if not any(_matches_row(row, true) for row in rows)]
    problems += [f"{row} is not so" for row in rows if not any(_matches_row(row, true) for true in facts["rows"])]
    return make_finding(
        not problems and len(rows) == len(facts["rows"]), f"{len(rows)} rows; {'; '.join(problems[:5])}"
    )


def _matches_row(row: list[str], true: list[str | float]) -> bool:
    if len(row) != len(HEAD) or row[0] != true[0]:
        return False
    amounts = [find_numbers(cell) for cell in row[1:3]]
    right = all(
        len(cell_numbers) == 1 and is_near(cell_numbers[0], float(true_amount))
        for cell_numbers, true_amount in zip(amounts, true[1:3], strict=True)
    )
    return right and str(to_date(row[3])) == true[3]


def _list_price_fields(facts: Facts) -> tuple[str, ...]:
    return tuple(
        f"shop:products#{number}.{name}" for number in facts["changed"] for name in ("price_cents", "modified")
    )


CHECKS = make_group(
    "price_rise",
    "The new prices are in the shop and in the notes",
    leaves.check_records(
        "prices",
        "Each product of the list has the price of the rules; products on sale or with a falling price keep theirs",
        PRODUCTS,
        lambda facts: facts["prices"],
        where=lambda row, facts: row["id"] in {price["id"] for price in facts["prices"]},
        weight=4,
    ),
    make_group(
        "note",
        "The change note is published",
        make_checkpoint(
            "page",
            "One page was added, named and placed like the others",
            _check_page,
            covers=(*PAGES.covers, "record:notes/*", "bystander:notes/*"),
        ),
        make_checkpoint(
            "table",
            "Its table has each new price, with the day of it",
            _check_table,
            covers=("record:notes/*",),
            weight=3,
        ),
        weight=3,
    ),
    leaves.check_unchanged_records("notes:pages+", "notes:blocks+", "notes:versions+", also=_list_price_fields),
    leaves.nothing_else(),
)
