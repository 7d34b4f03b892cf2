"""Solutions and near misses of desk/invoice_dispute."""

import re
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.readers.mails import Mail

BOOK = "credit_note.xlsx"


def solve(agent: Agent) -> str:
    """Read the thread of the customer's last mail, credit what was agreed last, answer with the workbook."""
    last, texts = _read_thread(agent)
    total, number = _correct_invoice(agent, _parse_agreement(texts))
    text = f"Attached is credit note {number} over EUR {total}, as we agreed in the end."
    agent.call("reply_message", message_id=last, text=text, attachments=[BOOK])
    return total


def alternative_with_the_mail_below_and_the_book_saved_again(agent: Agent, files: Path) -> str:
    """Another program saves the workbook; the mail below is quoted, the total is in a sentence."""
    last, texts = _read_thread(agent)
    total, number = _correct_invoice(agent, _parse_agreement(texts))
    with misses.open_edited(files / BOOK):
        pass
    text = f"Dear customer,\n\n{number} comes to {total} euros with tax.\n\nKind regards"
    agent.call("reply_message", message_id=last, text=text, attachments=[BOOK], quoted=True, html=f"<p>{text}</p>")
    return f"Done.\n\n**{total}**"


def alternative_by_a_draft(agent: Agent, _files: Path) -> str:
    """The answer is kept as a draft in the thread first, and sent then."""
    last, texts = _read_thread(agent)
    total, number = _correct_invoice(agent, _parse_agreement(texts))
    view = agent.call("read_message", message_id=last)
    draft = agent.call(
        "save_draft", to=[view["sender"]], subject=f"Re: {view['subject']}", text=f"{number}: {total}",
        attachments=[BOOK], answers=last,
    )  # fmt: skip
    agent.call("send_draft", message_id=draft["id"])
    return total


def _is_reply(mail: Mail, facts: Facts) -> bool:
    return mail.thread[-1:] == (facts["mails"][0]["answers"],)


def _in_figures(amount: float) -> str:
    return f"{amount:,.2f}"


def _change_total(facts_key: str) -> Any:
    """The mail names another total."""

    def change(message: EmailMessage, facts: Facts) -> None:
        body = message.get_body(("plain",))
        assert isinstance(body, EmailMessage)  # noqa: S101 - our mails have text
        right, wrong = (_in_figures(amount) for amount in (facts["sums"][-1]["EUR"], facts[facts_key]))
        body.set_content(body.get_content().replace(right, wrong))

    return misses.mail_edited(_is_reply, change, "said")


near_miss_total_of_the_withdrawn_offer = _change_total("early")
near_miss_total_before_the_recount = _change_total("uncounted")


def _copied_to_the_boss(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["boss"]


def _in_a_thread_of_its_own(message: EmailMessage, _facts: Facts) -> None:
    del message["In-Reply-To"]
    del message["References"]


def _other_file(message: EmailMessage, _facts: Facts) -> None:
    for part in message.iter_attachments():
        part.set_content(b"draft", maintype="application", subtype="octet-stream", filename=BOOK)


near_miss_the_boss_gets_a_copy = misses.mail_edited(_is_reply, _copied_to_the_boss, "sent")
near_miss_a_new_thread = misses.mail_edited(_is_reply, _in_a_thread_of_its_own, "answered")
near_miss_an_older_file = misses.mail_edited(_is_reply, _other_file, "carried")
near_miss_never_sent = misses.mail_removed(_is_reply, ("sent", "said", "carried", "answered"))
near_miss_the_withdrawn_offer_is_credited = misses.edit_file(
    BOOK, lambda sheet: _fill_sheet(sheet, lambda _row: (5, 15)), ("lines",), sheet="Lines"
)


def _fill_sheet(sheet: Any, values: Any) -> None:
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 3).value, sheet.cell(row, 4).value = values(row)


def _read_thread(agent: Agent) -> tuple[int, list[Mapping[str, Any]]]:
    """The number of the customer's last mail about the invoice, and the thread."""
    invoice = re.findall(r"invoice (INV-\S+)", agent.prompt)[0]
    contact = re.findall(r"\. (.+?) of ", agent.prompt)[0]
    matching_messages = agent.call("search_messages", query=invoice, sender=contact, subject="damaged")["messages"]
    last = int(matching_messages[0]["id"])
    return last, list(agent.call("read_thread", message_id=last)["messages"])


def _parse_agreement(thread: list[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Pieces and percent by the name of the item, as the mails say it."""
    texts = [" ".join(str(message["text"]).split()) for message in thread]
    first = next(text for text in texts if "arrived broken" in text)
    broken, scratched = re.findall(r"pieces of (.+?) (?:\d+ arrived|are scratched)", first)
    last = next(text for text in reversed(texts) if "in full, and" in text)
    full, share, retained_count = map(int, re.findall(r"(\d+) in full, and (\d+) % for the (\d+)", last)[0])
    return {broken: (full, 100), scratched: (retained_count, share)}


def _correct_invoice(agent: Agent, agreed: Mapping[str, tuple[int, int]]) -> tuple[str, str]:
    """Write pieces and percents; the total, and the number of the credit note."""
    lines = agent.call("read_records", path=BOOK, sheet="Lines")["records"]
    rows = [list(agreed.get(line["Item"], (0, 0))) for line in lines]
    agent.call("write_cells", path=BOOK, sheet="Lines", start_cell="C2", rows=rows)
    sums = {record["Part"]: record["EUR"] for record in agent.call("read_records", path=BOOK, sheet="Sums")["records"]}
    about = {
        record["What"]: record["Which"] for record in agent.call("read_records", path=BOOK, sheet="About")["records"]
    }
    return _in_figures(float(sums["Total"])), str(about["Credit note"])
