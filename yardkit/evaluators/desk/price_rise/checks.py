"""The shop has the new prices, and a page tells of them as pages did before."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.leaves.notes import read_note_page
from yardkit.evaluators.readers.answers import find_numbers, fold
from yardkit.evaluators.readers.app_records import Row
from yardkit.evaluators.readers.tables import near, to_date
from yardkit.evaluators.submission import Submission

PRODUCTS = Records("shop", "products")
PAGES, PARTS = Records("notes", "pages"), (Records("notes", "blocks"), Records("notes", "versions"))
HEAD = ("SKU", "Old", "New", "From")


def _new(of: Records, submission: Submission) -> list[Row]:
    known = {row["id"] for row in of.found(submission.untouched)}
    return [row for row in of.found(submission) if row["id"] not in known]


def _page(submission: Submission, facts: Facts) -> Finding:
    made = _new(PAGES, submission)
    fitting = [one for one in made if fold(str(one["title"])) == fold(facts["title"]) and not one["archived"]]
    strays = [
        row["id"] for of in PARTS for row in _new(of, submission) if row["page_id"] not in {p["id"] for p in made}
    ]
    places = [(one["parent_id"], one["table_id"]) for one in fitting]
    holds = len(made) == 1 and places == [(facts["parent"], None)] and not strays
    told = [(one["title"], one["parent_id"], one["table_id"]) for one in made]
    return finding(holds, f"new pages: {told}, wanted {facts['title']!r} in {facts['parent']}; strays: {strays[:5]}")


def _table(submission: Submission, facts: Facts) -> Finding:
    pages = [read_note_page(submission, row["id"]) for row in _new(PAGES, submission)]
    tables = [block.rows for page in pages for block in page.blocks if block.kind == "table"]
    if len(tables) != 1 or not tables[0] or [fold(cell) for cell in tables[0][0]] != [fold(name) for name in HEAD]:
        raise InvalidArtifact(f"the new pages have {len(tables)} tables; there should be one with {', '.join(HEAD)}")
    rows = [[cell.strip("*` ") for cell in row] for row in tables[0][1:]]
    odd = [f"{true} is not stated" for true in facts["rows"] if not any(_same(row, true) for row in rows)]
    odd += [f"{row} is not so" for row in rows if not any(_same(row, true) for true in facts["rows"])]
    return finding(not odd and len(rows) == len(facts["rows"]), f"{len(rows)} rows; {'; '.join(odd[:5])}")


def _same(row: list[str], true: list[str | float]) -> bool:
    if len(row) != len(HEAD) or row[0] != true[0]:
        return False
    amounts = [find_numbers(cell) for cell in row[1:3]]
    right = all(len(found) == 1 and near(found[0], float(told)) for found, told in zip(amounts, true[1:3], strict=True))
    return right and str(to_date(row[3])) == true[3]


def _prices(facts: Facts) -> tuple[str, ...]:
    return tuple(
        f"shop:products#{number}.{name}" for number in facts["changed"] for name in ("price_cents", "modified")
    )


CHECKS = group(
    "price_rise",
    "The new prices are in the shop and in the notes",
    leaves.records(
        "prices",
        "Each product of the list has the price of the rules; products on sale or with a falling price keep theirs",
        PRODUCTS,
        lambda facts: facts["prices"],
        where=lambda row, facts: row["id"] in {one["id"] for one in facts["prices"]},
        weight=4,
    ),
    group(
        "note",
        "The change note is published",
        leaf(
            "page",
            "One page was added, named and placed like the others",
            _page,
            observes=(*PAGES.observes, "record:notes/*", "bystander:notes/*"),
        ),
        leaf(
            "table", "Its table has each new price, with the day of it", _table, observes=("record:notes/*",), weight=3
        ),
        weight=3,
    ),
    leaves.kept_records("notes:pages+", "notes:blocks+", "notes:versions+", also=_prices),
    leaves.nothing_else(),
)
