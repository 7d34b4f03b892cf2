"""Solutions and near misses of desk/late_parcels."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving.calendar import day_of, list_holidays, working_days
from yardkit.evaluators.solving.solver import read_full_text, table_rows

REPORT = r"Parcel (\w+) \(your reference: (\d+)\) to .+ was (delivered|handed over to us) on (\d\d)\.(\d\d)\.(\d{4})"


def solve(agent: Agent) -> str:
    """All reports by order, counted by the working days of each carrier's country, then coupon, note and mail."""
    terms = read_full_text(agent, "terms/delivery_2026.md")
    until = str(day_of(re.findall(r"up to and including (\d+ \w+ \d{4})", terms)[0]))
    late = list(_list_late_orders(agent, terms))
    for order, days, cents in late:
        code = f"SORRY-{order['id']}"
        _save_coupon(agent, order, cents, code, until)
        agent.call("add_order_note", order_id=order["id"], text=f"Late by {days} working days: voucher {code}.")
        _send_letter(agent, order, f"The code {code} takes EUR {cents / 100:.2f} off an order until {until}.")
    return f"{len(late)} vouchers were sent."


def alternative_mails_first_in_other_words(agent: Agent, _files: Path) -> str:
    """The mails come first, from the newest order on; codes in small letters, the last day with its last minute."""
    terms = read_full_text(agent, "terms/delivery_2026.md")
    until = str(day_of(re.findall(r"up to and including (\d+ \w+ \d{4})", terms)[0]))
    late = list(_list_late_orders(agent, terms))[::-1]
    for order, _, cents in late:
        _send_letter(agent, order, f"sorry-{order['id']}: {cents // 100} euros off, last day {until}")
    for order, days, cents in late:
        code = f"sorry-{order['id']}"
        agent.call(
            "add_order_note", order_id=order["id"], text=f"{code} was given, {days} days late", for_customer=False
        )
        _save_coupon(agent, order, cents, code, f"{until}T23:59:59")
    return ""


def alternative_coupons_in_two_steps(agent: Agent, _files: Path) -> str:
    """Each coupon is described once it is there."""
    answer = solve(agent)
    coupons = agent.call("list_coupons", query="sorry-", limit=100)["coupons"]
    for coupon in coupons[:6]:
        agent.call("save_coupon", coupon_id=coupon["id"], description="For a late parcel")
    return answer


def _list_late_orders(agent: Agent, terms: str) -> Iterator[tuple[Mapping[str, Any], int, int]]:
    """The orders that were late and get a voucher, by how many days, and its cents."""
    promised = {way: int(days) for ways, days in table_rows(terms, "Way of shipping") for way in ways.split(", ")}
    amounts = [round(float(amount.split()[1]) * 100) for _, amount in table_rows(terms, "Late by")]
    home, off, parcels = (
        dict(table_rows(terms, "Carrier")),
        list_holidays(agent, "2026-03-01", "2026-04-30"),
        _read_reports(agent),
    )
    recent = {parcel for parcel, days in parcels.items() if days.get("delivered", date.min) >= date(2026, 4, 1)}
    for number in sorted({order for order, _ in recent}):
        order = agent.call("read_order", order_id=number)
        note_text = "\n".join(note["text"] for note in order["notes"])
        sent = re.findall(r"Sent with ([\w ]+), tracking number (\w+)", note_text)
        days = [parcels.get((number, parcel), {}) for _, parcel in sent]
        if all(name in home and "delivered" in parcel_days for (name, _), parcel_days in zip(sent, days, strict=True)):
            taken, brought = (
                min(parcel_days["handed over to us"] for parcel_days in days),
                max(parcel_days["delivered"] for parcel_days in days),
            )
            late = working_days(taken, brought, off[home[sent[0][0]]]) - promised[order["order"]["shipping_title"]]
            if late > 0 and not _is_excepted(order, note_text):
                yield order["order"], late, amounts[min(2, (late - 1) // 2)]


def _is_excepted(order: Mapping[str, Any], note_text: str) -> bool:
    """Given back, wanted later, or with its voucher already."""
    wish = str(order["order"].get("customer_note", ""))
    return order["order"]["status"] == "refunded" or "deliver after" in wish or "SORRY-" in note_text


def _read_reports(agent: Agent) -> dict[tuple[int, str], dict[str, date]]:
    """By order and parcel, when it was taken and when it was delivered."""
    reports: dict[tuple[int, str], dict[str, date]] = {}
    search_arguments = {"query": "parcel your reference", "sender": "no-reply", "since": "2026-03-10", "limit": 200}
    for mail in agent.call("search_messages", **search_arguments)["messages"]:
        for number, order, word, day, month, year in re.findall(REPORT, mail["preview"]):
            reports.setdefault((int(order), number), {})[word] = date(int(year), int(month), int(day))
    return reports


def _save_coupon(agent: Agent, order: Mapping[str, Any], cents: int, code: str, until: str) -> None:
    coupon_fields = {"kind": "fixed_cart", "amount_cents": cents, "expires": until, "usage_limit": 1}
    agent.call("save_coupon", coupon=code, emails=[order["billing"]["email"]], **coupon_fields)


def _send_letter(agent: Agent, order: Mapping[str, Any], letter_text: str) -> None:
    text = f"Hello,\n\nyour order {order['id']} came late, we are sorry. {letter_text}"
    agent.call("send_message", to=[order["billing"]["email"]], subject=f"Your order {order['id']}", text=text)


REST = (
    "kind, created, modified, percent, amount_cents, description, status, expires, used, usage_limit, "
    "usage_limit_per_user, minimum_cents, maximum_cents, product_ids, excluded_product_ids, category_ids, emails, "
    "individual_use, free_shipping, exclude_sale_items, meta"
)


def _add_further_voucher(order: str) -> Miss:
    """A voucher like the last one, for an order that a fact names."""
    of = f"SELECT max(id) + 1, 'sorry-' || :{order}, {REST} FROM coupons"  # noqa: S608 - names of our own
    return misses.change_records("shop", f"INSERT INTO coupons (id, code, {REST}) {of}", caught_by="vouchers")


def _change_coupon(order: str, change: str) -> Miss:
    """The voucher of an order that a fact names is another one."""
    where = f"WHERE code = 'sorry-' || :{order}"
    return misses.change_records("shop", f"UPDATE coupons SET {change} {where}", caught_by="vouchers")  # noqa: S608 - as above


def _to_customer(mail: Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and f" {facts['slightly']}" in mail.subject


def _without_last_day(message: EmailMessage, facts: Facts) -> None:
    message.set_content(message.get_content().replace(facts["until"], "summer"))


def _with_another_code(message: EmailMessage, facts: Facts) -> None:
    message.set_content(re.sub(r"SORRY-\d+", f"SORRY-{facts['clearly']}", message.get_content()))


near_miss_holidays_forgotten = _add_further_voucher("not_by_holidays")
near_miss_second_voucher = _add_further_voucher("has_it")
near_miss_voucher_for_goods_that_came_back = _add_further_voucher("given_back")
near_miss_counted_by_the_first_parcel = _change_coupon("by_the_last_parcel", "code = 'sorry-' || :both_in_time")
near_miss_amount_of_more_days = _change_coupon("less_by_holidays", "amount_cents = amount_cents + 500")
near_miss_voucher_for_everybody = _change_coupon("very", "emails = '[]'")
near_miss_voucher_that_can_be_used_again = _change_coupon("very", "usage_limit = NULL")
near_miss_last_day_lost = _change_coupon("clearly", "expires = :until || 'T00:00:00+00:00'")
near_miss_note_for_the_customer = misses.change_records(
    "shop", "UPDATE order_notes SET for_customer = 1 WHERE id = (SELECT max(id) FROM order_notes)", caught_by="notes"
)
near_miss_note_at_another_order = misses.change_records(
    "shop",
    "UPDATE order_notes SET order_id = :last_day WHERE id = (SELECT max(id) FROM order_notes)",
    caught_by="notes",
)
near_miss_mail_without_last_day = misses.mail_edited(_to_customer, _without_last_day, caught_by="says")
near_miss_all_codes_in_each_mail = misses.mails_joined(caught_by="says")
near_miss_code_of_another_order = misses.mail_edited(_to_customer, _with_another_code, caught_by="says")
