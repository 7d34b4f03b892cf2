"""Solutions and near misses of desk/supplier_check."""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk.supplier_check.browser_steps import fill_form, press_button
from yardkit.evaluators.desk.supplier_check.web_form_misses import field_changed, posts_changed
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers import mails
from yardkit.evaluators.solving.desk import Mail, read_mails, read_note, read_today
from yardkit.evaluators.solving.notes import find_note_rows
from yardkit.evaluators.solving.solver import table_rows

PORTAL, REGISTER = "https://supplier-portal.example", "https://company-register.example"
Check = Mapping[str, str]  # what is known of the supplier, by the labels of the portal and of the register


def solve(agent: Agent) -> str:
    """Everything is looked up, the form is filled in by hand, then row and mail have the number in the portal."""
    check = _look_up(agent)
    number = _enter_supplier(agent, check)
    _fill_row(agent, {**_row_of(agent, check), "Portal number": number})
    message_text = f"Hello,\n\n{check['Legal name']} is in the portal as {number}."
    agent.call(
        "send_message",
        to=[_find_request(agent, check)["sender"]],
        subject=f"Check of {check['Name']}",
        text=message_text,
    )
    return "The supplier is entered."


def alternative_row_in_two_steps(agent: Agent, _files: Path) -> str:
    """The row comes first, without the number; amounts with their units; the mail is an answer."""
    check = _look_up(agent)
    row = _row_of(agent, check)
    _fill_row(agent, {**row, "Tax number": check["Tax number"].lower(), "Site": f"{row['Site']}/"})
    agent.call("open_page", url=f"{PORTAL}/change")
    units = {"Delivery days": f"{check['Delivery days']} working days", "IBAN": check["IBAN"].replace(" ", "")}
    number = _enter_supplier(agent, {**check, **units})
    _fill_row(agent, {"Portal number": number})
    agent.call(
        "reply_message", message_id=_find_request(agent, check)["id"], text=f"It is done: {number}.", quoted=True
    )
    return ""


def alternative_form_filled_by_a_script(agent: Agent, _files: Path) -> str:
    """The fields are filled in at once; who asked hears of it before the row is complete."""
    check = _look_up(agent)
    agent.call("open_page", url=f"{PORTAL}/new")
    fields = {re.sub(r"\W+", "_", label.lower()).strip("_"): value for label, value in check.items()}
    fill_script = "if (form.elements[name]) form.elements[name].value = value"
    fill = f"for (const [name, value] of Object.entries({json.dumps(fields)})) {fill_script}"
    script = f"() => {{ const form = document.forms[0]; {fill}; form.elements.checked.checked = true }}"
    agent.call("run_page_script", script=script)
    number = _submit_form(agent, agent.call("read_page_tree")["tree"])
    agent.call("reply_message", message_id=_find_request(agent, check)["id"], text=f"It is done: {number}.")
    _fill_row(agent, {**_row_of(agent, check), "Portal number": number})
    return ""


def _enter_supplier(agent: Agent, check: Check) -> str:
    """Fill in the form and send it; the number in the portal."""
    return _submit_form(agent, fill_form(agent, f"{PORTAL}/new", check))


def _submit_form(agent: Agent, tree: str) -> str:
    return str(re.findall(r"portal number is (SP-\d+)", press_button(agent, tree, "Enter supplier"))[0])


def _look_up(agent: Agent) -> Check:
    """What the register, the site, and the mails say of the supplier that the prompt names."""
    name = re.findall(r"\. (.+?) is the next supplier", agent.prompt)[0]
    rule = read_note(agent, "Supplier checks")
    index = agent.call("fetch_page", url=REGISTER)["text"]
    paths = re.findall(rf"\[{re.escape(name)}\]\({re.escape(REGISTER)}(/entries/\d+)\)", index)
    entry = next(
        entry for entry in (_read_table(agent, f"{REGISTER}{path}") for path in paths) if entry["Status"] == "active"
    )
    site = entry["Web site"]
    delivery, imprint = _read_table(agent, f"{site}/delivery"), _read_table(agent, f"{site}/imprint")
    since = read_today(agent) - timedelta(days=int(re.findall(r"last (\d+) days", rule)[0]))
    mails, asked = read_mails(agent, query=name), f"Reference for {name}"
    written = {
        mail["sender"]: mail["text"] for mail in mails if mail["subject"] == asked and mail["date"] >= str(since)
    }
    count = sum("would buy there again" in text for text in written.values())
    own = "".join(mail["text"] for mail in mails if f"@{site.removeprefix('https://')}>" in mail["sender"])
    return {
        **entry, "Legal name": entry["Name"], "Registration number": entry["Number"],
        "Tax number": imprint["Tax number"], "References": str(count), "Risk class": "CCBA"[min(count, 3)],
        "Delivery days": delivery["Delivery"].split()[0], "Least order (EUR)": delivery["Least order"].split()[1],
        "IBAN": re.findall(r"[A-Z]{2}\d\d(?: \d+)+", own)[-1],
    }  # fmt: skip


def _read_table(agent: Agent, url: str) -> dict[str, str]:
    return dict(table_rows(agent.call("fetch_page", url=url)["text"] + "\n\n", "What"))


def _row_of(agent: Agent, check: Check) -> dict[str, Any]:
    same = ("City", "Director", "Tax number", "Risk class")
    return {
        **{name: check[name] for name in same}, "Register number": check["Number"], "Status": "Checked",
        "Register entry": f"{REGISTER}/entries/{check['Number']}", "Site": check["Web site"],
        "References": int(check["References"]), "Checked on": str(read_today(agent)),
    }  # fmt: skip


def _fill_row(agent: Agent, values: Mapping[str, Any]) -> None:
    name = re.findall(r"\. (.+?) is the next supplier", agent.prompt)[0]
    table, rows = find_note_rows(agent, "Supplier checks")
    row = next(row["id"] for row in rows if row["values"]["Supplier"] == name)
    agent.call("save_table_row", table_id=table, row_id=row, values=dict(values))


def _find_request(agent: Agent, check: Check) -> Mail:
    return read_mails(agent, subject=f"Check of {check['Name']}", mailbox="INBOX")[-1]


def _change_column(column: str, value: str, caught_by: str) -> Miss:
    """A column of the row holds what a fact has, or a text."""
    updated_values = f'json_set("values", \'$."{column}"\', {value})'
    change = f'UPDATE pages SET "values" = {updated_values} WHERE id = :row_id'  # noqa: S608 - our own words
    return misses.change_records("notes", change, caught_by=caught_by)


def _is_notice(mail: mails.Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and mail.people == frozenset(facts["mail"]["to"])


near_miss_sent_twice = posts_changed(lambda posts, _: posts.append(dict(posts[0])), caught_by="sent")
near_miss_change_sent_too = posts_changed(
    lambda posts, _: posts.append({**posts[0], "url": f"{PORTAL}/changed"}), caught_by="sent"
)
near_miss_never_sent = posts_changed(lambda posts, _: posts.clear(), caught_by="sent")
near_miss_number_of_the_mirror = field_changed("registration_number", "old", "form")
near_miss_number_of_the_twin = field_changed("registration_number", "twin_number", "form")
near_miss_account_of_the_mirror = field_changed("iban", "false_iban", "form")
near_miss_city_before_the_move = field_changed("city", "old_city", "form")
near_miss_mirror_as_site = _change_column("Site", ":mirror", "found")
near_miss_old_number_in_the_row = _change_column("Register number", ":old", "found")
near_miss_number_of_the_twin_in_the_portal = _change_column("Portal number", ":twin_portal", "judged")
near_miss_all_references_counted = _change_column("References", "5", "judged")
near_miss_left_open = _change_column("Status", "'Open'", "judged")
near_miss_colleague_of_the_twin_told = misses.mail_edited(
    _is_notice, lambda message, work: message.replace_header("To", work["twin_asking"]), caught_by="told"
)
near_miss_number_not_told = misses.mail_edited(
    _is_notice, lambda message, facts: message.set_content(f"{facts['twin_portal']} it is."), caught_by="says"
)
