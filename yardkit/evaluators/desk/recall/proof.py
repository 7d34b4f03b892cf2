"""Solutions and near misses of desk/recall."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.desk import read_day, read_mails, read_pdf, read_today
from yardkit.evaluators.solving.solver import find_paths, read_full_text

LOTS, NOTES = "stock/lots.csv", "delivery_notes"
FULL_DAYS, HALF_DAYS, VOUCHER_CENTS = 75, 180, 1_500


@dataclass(frozen=True)
class Piece:
    """What is owed for a line of an order, as the shop shows it."""

    order: Mapping[str, Any]
    line: Mapping[str, Any]
    lot: str
    left: int
    paid: int
    age_days: int

    @property
    def cents(self) -> int:
        """The money that goes back; 0 where it is a voucher."""
        return self.paid if self.age_days <= FULL_DAYS else (self.paid + 1) // 2 * (self.age_days <= HALF_DAYS)

    @property
    def email(self) -> str:
        return str(self.order["billing"]["email"])

    @property
    def description(self) -> str:
        order = self.order["id"]
        if self.cents:
            return f"Order {order}: EUR {self.cents / 100:,.2f} are on their way back to you."
        return f"Order {order}: your voucher is recall-{order}, worth EUR {VOUCHER_CENTS * self.left / 100:.2f}."


def solve(agent: Agent) -> str:
    """Read mails and notes, hold the lots, hide the variants, give back, write."""
    lots, sku = _read_recall(agent)
    _hide_variants(agent, lots, sku)
    people = _group_by_person(_list_pieces(agent, lots, sku))
    for theirs in people:
        for piece in theirs:
            _settle_piece(agent, piece, theirs[-1].email)
        text = "\n".join(["We recall some pieces.", *(piece.description for piece in theirs)])
        agent.call("send_message", to=[theirs[-1].email], subject="A recall", text=text)
    return f"{_sum_cents(people) / 100:.2f}"


def alternative_letters_first_and_money_for_lines(agent: Agent, files: Path) -> str:
    """The mails go out first, in one long paragraph; another program saves the list."""
    lots, sku = _read_recall(agent)
    people = _group_by_person(_list_pieces(agent, lots, sku))[::-1]
    for theirs in people:
        name = f"{theirs[-1].order['billing']['first_name']} {theirs[-1].order['billing']['last_name']}"
        text = f"Good morning, {'; '.join(piece.description for piece in theirs[::-1])}"
        agent.call("send_message", to=[f'"{name}" <{theirs[-1].email.upper()}>'], subject="Please read", text=text)
    for theirs in people:
        for piece in theirs:
            _settle_piece(agent, piece, theirs[-1].email, by_line=True)
    _hide_variants(agent, lots, sku)
    (files / LOTS).write_bytes((files / LOTS).read_bytes().replace(b",", b";").replace(b"\n", b"\r\n"))
    return f"All is done.\n\n{_sum_cents(people) / 100:,.2f} EUR"


def alternative_from_drafts_and_corrected(agent: Agent, _files: Path) -> str:
    """Each mail was a draft before, and each voucher was worth nothing at first."""
    lots, sku = _read_recall(agent)
    people = _group_by_person(_list_pieces(agent, lots, sku))
    for theirs in people:
        text, to = "\n\n".join(f"* {piece.description}" for piece in theirs), [theirs[-1].email]
        draft = agent.call("save_draft", to=to, subject="Recall", text=text)
        agent.call("send_draft", message_id=draft["id"])
        for piece in theirs:
            _settle_piece(agent, piece, theirs[-1].email)
    for coupon in agent.call("list_coupons", query="recall-")["coupons"]:
        worth = coupon["amount_cents"]
        agent.call("save_coupon", coupon_id=coupon["id"], amount_cents=1)
        agent.call("save_coupon", coupon_id=coupon["id"], amount_cents=worth, description="Recall")
    _hide_variants(agent, lots, sku)
    return f"{_sum_cents(people) / 100:.2f} €"


near_miss_refund_restocked = misses.change_records(
    "shop", "UPDATE refunds SET restocked = 1 WHERE id = (SELECT max(id) FROM refunds)", caught_by="refunds"
)
near_miss_half_paid_whole = misses.change_records(
    "shop", "UPDATE refunds SET amount_cents = amount_cents * 2 WHERE order_id = :half", caught_by="refunds"
)
near_miss_piece_paid_twice = misses.change_records(
    "shop",
    "UPDATE refunds SET amount_cents = amount_cents + (SELECT min(amount_cents) FROM refunds WHERE order_id = :back) "
    "WHERE id = (SELECT max(id) FROM refunds WHERE order_id = :back)",
    caught_by="refunds",
)
near_miss_variant_of_the_first_mail_hidden = misses.change_records(
    "shop", "UPDATE products SET status = 'private' WHERE id = :kept", caught_by="records"
)
near_miss_voucher_for_anybody = misses.change_records(
    "shop", "UPDATE coupons SET emails = '[]' WHERE id = (SELECT max(id) FROM coupons)", caught_by="vouchers"
)
near_miss_note_shown_to_the_customer = misses.change_records(
    "shop", "UPDATE order_notes SET for_customer = 1 WHERE id = (SELECT max(id) FROM order_notes)", caught_by="notes"
)
near_miss_letter_to_the_older_address = misses.mail_edited(
    lambda mail, facts: facts["twins"][0] in mail.people and mail.folder == "Sent",
    lambda message, facts: message.replace_header("To", facts["twins"][1]),
    caught_by="sent",
)
near_miss_all_orders_in_each_letter = misses.mails_joined(caught_by="said")
near_miss_letter_that_never_arrived = misses.mail_removed(
    lambda mail, facts: facts["twins"][0] in mail.delivered_to and bool(mail.delivered_to), caught_by="sent"
)


@caught_by_leaf("held")
def near_miss_other_product_with_the_same_lot_held(work: Solved) -> None:
    path, rows = work.files / LOTS, work.facts["rows"]
    lots = {row["lot"] for row in rows if row["since"] == work.facts["now"]}
    row = next(row for row in rows if row["lot"] in lots and row["since"] != work.facts["now"])
    old = ",".join(map(str, row.values()))
    path.write_text(path.read_text("utf-8").replace(old, old.replace(row["status"], "hold")), "utf-8")


@caught_by_leaf("answer")
def near_miss_vouchers_counted_as_money(work: Solved) -> None:
    work.answer = f"{work.facts['total'] + sum(coupon['amount_cents'] for coupon in work.facts['coupons']) / 100:.2f}"


def _read_recall(agent: Agent) -> tuple[set[str], str]:
    """The lots as the last mail has them, and the SKU."""
    sender = re.findall(r"; (.+?) wrote to me", " ".join(agent.prompt.split()))[0]
    notice, right = (mail["text"] for mail in read_mails(agent, sender=sender, subject="Recall"))
    lots = re.findall(r"\b[A-Z]\d{4}\b", notice)[:1] + re.findall(r"the second lot is (\w+)", right)
    return {*lots}, re.findall(r"\(([A-Z]{3}-\w+)\)", notice)[0]


def _list_recalled_skus(agent: Agent, lots: set[str], sku: str) -> list[str]:
    rows = csv.DictReader(read_full_text(agent, LOTS).splitlines())
    return sorted({row["sku"] for row in rows if row["lot"] in lots and row["sku"].startswith(f"{sku}-")})


def _hide_variants(agent: Agent, lots: set[str], sku: str) -> None:
    """The rows of the lots, and their variants."""
    head, *rows = csv.reader(read_full_text(agent, LOTS).splitlines())
    today = read_today(agent).isoformat()
    for row in rows:
        if row[1] in lots and row[2].startswith(f"{sku}-"):
            row[4:] = ["hold", today]
    agent.call("write_file", path=LOTS, content="".join(f"{','.join(row)}\n" for row in (head, *rows)))
    for recalled_sku in _list_recalled_skus(agent, lots, sku):
        product = agent.call("read_product", sku=recalled_sku)["product"]
        agent.call("save_product", product_id=product["id"], status="private")


def _list_pieces(agent: Agent, lots: set[str], sku: str) -> Iterator[Piece]:
    """What the notes that hold tell of the lots."""
    texts = {Path(path).stem: read_pdf(agent, path) for path in find_paths(agent, NOTES, ".pdf")}
    replaced = {
        replaced_note for text in texts.values() for replaced_note in re.findall(r"This note replaces ([\w-]+)", text)
    }
    today = read_today(agent)
    for text in (text for name, text in sorted(texts.items()) if name not in replaced):
        for recalled_sku, pieces, lot in re.findall(rf"({re.escape(sku)}-\w+)[^\n]*?\s(\d+)\s+([A-Z]\d{{4}})\b", text):
            if lot in lots:
                order = agent.call("read_order", order_id=int(re.findall(r"Order: (\d+)", text)[0]))
                line = next(line for line in order["lines"] if line["sku"] == recalled_sku)
                back = [part for refund in order.get("refunds", ()) for part in refund["lines"]]
                returned = sum(part["quantity"] for part in back if part["line_id"] == line["id"])
                price = Decimal(line.get("total_cents", 0) + line.get("tax_cents", 0)) / line["quantity"]
                paid = _round_cents(price * int(pieces)) - _round_cents(price * returned)
                day = read_day(re.findall(r"Date: (\d+ \w+ \d+)", text)[0])
                yield Piece(order["order"], line, lot, int(pieces) - returned, paid, (today - day).days)


def _group_by_person(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """By person, the newest order last."""
    pieces_by_person = defaultdict(list)
    for piece in sorted(pieces, key=lambda piece: str(piece.order["created"])):
        home = piece.order["billing"]
        pieces_by_person[
            tuple(home.get(part) for part in ("first_name", "last_name", "street", "postcode", "city"))
        ].append(piece)
    return [*pieces_by_person.values()]


def _settle_piece(agent: Agent, piece: Piece, email: str, *, by_line: bool = False) -> None:
    """Money or a voucher, and the note."""
    order, cents = piece.order["id"], piece.cents
    about = {"order_id": order, "restock": False}
    if by_line and cents == piece.paid:
        agent.call("refund_order", **about, returned=[{"line_id": piece.line["id"], "quantity": piece.left}])
    elif cents:
        agent.call("refund_order", **about, amount_cents=cents, reason="Recall")
    else:
        worth = {"kind": "fixed_cart", "amount_cents": VOUCHER_CENTS * piece.left}
        agent.call("save_coupon", coupon=f"recall-{order}", **worth, emails=[email], usage_limit=1)
    agent.call("add_order_note", order_id=order, text=f"Recall {piece.lot}: {piece.left} pcs")


def _sum_cents(people: Iterable[list[Piece]]) -> int:
    return sum(piece.cents for theirs in people for piece in theirs)


def _round_cents(amount: Decimal) -> int:
    return int(amount.quantize(Decimal(1), ROUND_HALF_UP))
