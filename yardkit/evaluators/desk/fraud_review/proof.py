"""Solutions and near misses of desk/fraud_review."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.desk import find_order_ids, read_mails, read_orders
from yardkit.evaluators.solving.solver import read_csv_records, read_full_text

STATUS = {"released": "processing", "cancelled": "cancelled", "asked": "on-hold"}


@dataclass(frozen=True)
class Policy:
    """What the document and the mail that changed it say. cap: the highest total of rule 3; all in cents."""

    regular: int
    cap: int
    abroad: int
    big: int


@dataclass(frozen=True)
class Decision:
    """What becomes of an order, by which rule."""

    order: Mapping[str, Any]
    way: str
    rule: int

    @property
    def note(self) -> str:
        return f"Risk: {self.way}, rule {self.rule}"


def solve(agent: Agent) -> str:
    """Read policy, mails, lists and orders; decide, note, ask."""
    decisions = [*_decide_orders(agent)]
    for decision in decisions:
        if decision.way != "asked":
            agent.call("update_order", order_id=decision.order["id"], status=STATUS[decision.way])
        agent.call("add_order_note", order_id=decision.order["id"], text=decision.note)
    for email, orders in _list_asked(decisions).items():
        text = f"Before we send what you ordered, we would like to call you. It is about {' and '.join(orders)}."
        agent.call("send_message", to=[email], subject="Your order", text=text)
    return f"{_sum_released(decisions):.2f}"


def alternative_mails_first_in_html(agent: Agent, _files: Path) -> str:
    """Mails go first, with the name and as HTML, too; notes come before decisions."""
    decisions = [*_decide_orders(agent)][::-1]
    names = {decision.order["billing"]["email"]: decision.order["billing"]["last_name"] for decision in decisions}
    for email, orders in _list_asked(decisions).items():
        text = f"Dear {names[email]},\n\nwhich number can we call?\n\n" + "\n".join(
            f"* order {order}" for order in orders
        )
        html = f"<p>{text}</p>"
        subject = f"Order {', '.join(orders)}"
        agent.call("send_message", to=[f"{names[email]} <{email}>"], subject=subject, text=text, html=html)
    for decision in decisions:
        agent.call("add_order_note", order_id=decision.order["id"], text=f" {decision.note} ")
        agent.call("update_order", order_id=decision.order["id"], status=STATUS[decision.way])
    return f"All is decided.\n\nEUR {_sum_released(decisions):,.2f}"


def alternative_by_way_of_pending(agent: Agent, _files: Path) -> str:
    """Released orders were pending for a moment; the mails were drafts."""
    decisions = [*_decide_orders(agent)]
    for decision in decisions:
        for status in (["pending"] if decision.way == "released" else []) + (
            [STATUS[decision.way]] if decision.way != "asked" else []
        ):
            agent.call("update_order", order_id=decision.order["id"], status=status)
        agent.call("add_order_note", order_id=decision.order["id"], text=decision.note, for_customer=False)
    for email, orders in _list_asked(decisions).items():
        draft = agent.call(
            "save_draft", to=[email], subject="A question", text=f"Can I call you about {', '.join(orders)}?"
        )
        agent.call("send_draft", message_id=draft["id"])
    return f"**{_sum_released(decisions):.2f} €**"


near_miss_decided_by_the_old_document = misses.change_records(
    "shop",
    "UPDATE orders SET status = 'cancelled' WHERE id = :firm",
    caught_by="status",
)
near_miss_lifted_entry_cancelled = misses.change_records(
    "shop", "UPDATE orders SET status = 'cancelled' WHERE id = :lifted", caught_by="status"
)
near_miss_namesake_of_a_blocked_one_cancelled = misses.change_records(
    "shop", "UPDATE orders SET status = 'cancelled' WHERE id = :namesake", caught_by="status"
)
near_miss_order_on_hold_for_another_reason_released = misses.change_records(
    "shop", "UPDATE orders SET status = 'processing' WHERE id = :other", caught_by="records"
)
near_miss_rule_of_the_old_document_noted = misses.change_records(
    "shop", "UPDATE order_notes SET text = replace(text, 'rule 7', 'rule 6') WHERE order_id = :firm", caught_by="notes"
)
near_miss_note_shown_to_the_customer = misses.change_records(
    "shop", "UPDATE order_notes SET for_customer = 1 WHERE id = (SELECT max(id) FROM order_notes)", caught_by="notes"
)
near_miss_decision_written_past_the_shop = misses.change_records(
    "shop", "DELETE FROM order_notes WHERE order_id = :firm AND text LIKE 'Order status%'", caught_by="logged"
)
near_miss_one_order_of_two_named = misses.mail_edited(
    lambda mail, facts: facts["again"] in mail.people and mail.folder == "Sent",
    lambda message, facts: message.set_content(f"It is about {facts['again_first']}."),
    caught_by="said",
)
near_miss_no_number_asked_for = misses.mail_edited(
    lambda mail, facts: facts["again"] in mail.people and mail.folder == "Sent",
    lambda message, facts: message.set_content(f"Order {facts['again_first']} is on hold."),
    caught_by="asked",
)
near_miss_all_orders_in_each_mail = misses.mails_joined(caught_by="said")
near_miss_cancelled_customer_told = misses.mail_edited(
    lambda mail, facts: facts["again"] in mail.people,
    lambda message, facts: message.replace_header("To", facts["blocked"]),
    caught_by="sent",
)


@caught_by_leaf("answer")
def near_miss_asked_orders_counted_as_released(work: Solved) -> None:
    work.answer = f"{work.facts['total'] + work.facts['asked_total']:.2f}"


def _decide_orders(agent: Agent) -> Iterator[Decision]:
    policy = _read_policy(agent)
    blocked = {row["email"].casefold() for row in read_csv_records(agent, "risk/blocklist.csv") if not row["lifted"]}
    forwarders = {(row["street"], row["postcode"]) for row in read_csv_records(agent, "risk/forwarders.csv")}
    for view in read_orders(agent, statuses=["on-hold"]):
        order, customer = view["order"], view["order"]["customer_id"]
        if any(note["text"] == "Held by the risk filter." for note in view["notes"]):
            done = len(find_order_ids(agent, customer_id=customer, statuses=["completed"]))
            account = agent.call("find_customers", customer_id=customer, details=True)["customers"][0]
            to, bill, total = order["shipping"], order["billing"], order["total_cents"]
            rules = (
                (bill["email"].casefold() in blocked, "cancelled", 1),
                ("customer_number" in account.get("meta", {}), "released", 7),
                ((to["street"], to["postcode"]) in forwarders, "cancelled", 2),
                (done >= policy.regular and total <= policy.cap, "released", 3),
                (to["country"] != bill["country"] and total > policy.abroad, "asked", 4),
                (total > policy.big, "asked", 5),
            )
            yield Decision(order, *next(((way, rule) for fits, way, rule in rules if fits), ("released", 6)))


def _read_policy(agent: Agent) -> Policy:
    """The limits of the last mail of the one who decides."""
    document = " ".join(read_full_text(agent, "risk/fraud_policy.md").split())
    head = re.findall(r"are decided by the (.+?) alone", document)[0]
    mails = [mail["text"].strip() for mail in read_mails(agent, subject="Fraud policy")]
    mail = next(text for text in mails[::-1] if text.endswith(head))
    cap, abroad, big = (100 * int(limit) for limit in re.findall(r"EUR (\d+)", mail))
    regular = ["three", "four", "five"].index(re.findall(r"(\w+) completed", mail)[0]) + 3
    return Policy(regular, cap, abroad, big)


def _list_asked(decisions: list[Decision]) -> dict[str, list[str]]:
    orders_by_address: dict[str, list[str]] = {}
    for decision in decisions:
        if decision.way == "asked":
            orders_by_address.setdefault(decision.order["billing"]["email"], []).append(str(decision.order["id"]))
    return orders_by_address


def _sum_released(decisions: list[Decision]) -> float:
    return sum(int(decision.order["total_cents"]) for decision in decisions if decision.way == "released") / 100
