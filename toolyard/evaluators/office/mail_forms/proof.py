"""Solutions and near misses of office/mail_forms."""

import datetime
import email
import email.policy
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toolyard.evaluators.office.dressing import dress
from toolyard.evaluators.proof import Agent, Solved, killed_by

BLANK = "forms/registration_2026.pdf"
OVERVIEW = "registrations/overview.xlsx"
HEADER = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]
ROOM = 50
"""Letters that a line of the form takes with certainty."""
TICKETS = {"single day": "One-day", "One day": "One-day", "one day": "One-day", "three days": "Three-day"}
Form = dict[str, Any]
Mail = tuple[datetime.datetime, str, str]


def solve(agent: Agent) -> str:
    """Read the mails in the order of their dates, fill in the forms, look at them, and write the overview."""
    forms = _forms(agent)
    for number, form in forms.items():
        agent.call("fill_pdf_form", path=BLANK, target=_path(number), values=_values(number, form))
        agent.call("show_pdf_page", path=_path(number), page=1, dpi=60)
    rows = _rows(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    dress(agent, OVERVIEW, "Participants")
    return _answer(rows)


def also_copied_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Copies of the form, address broken elsewhere, saved again by pikepdf; the overview by openpyxl."""
    import openpyxl
    import pikepdf

    forms = _forms(agent)
    for number, form in forms.items():
        values = _values(number, form)
        if values["address3"] is None and values["address2"] is None:
            street, _, rest = str(values["address1"]).partition(", ")
            values |= {"address1": f"{street},", "address2": rest}
        agent.call("copy_path", source=BLANK, target=_path(number))
        agent.call("fill_pdf_form", path=_path(number), values=values)
        with pikepdf.open(files / _path(number), allow_overwriting_input=True) as opened:
            opened.save(files / _path(number))
        agent.call("render_pages", path=_path(number), pages="1")
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Participants"
    rows = _rows(forms)
    for row in [HEADER, *[[datetime.date.fromisoformat(c) if re.match(r"2026-", c) else c for c in r] for r in rows]]:
        book.worksheets[0].append(row)
    book.save(files / OVERVIEW)
    return f"We need so many parking spaces:\n{_answer(rows)}"


def also_overview_first_and_forms_in_two_steps(agent: Agent, _files: Path) -> str:
    """The boxes first, the lines later."""
    forms = _forms(agent)
    rows = _rows(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    for number, form in reversed(forms.items()):
        values = _values(number, form)
        boxes = {name: values.pop(name) for name in ("ticket", "parking", "vegetarian", "access", "language")}
        agent.call("fill_pdf_form", path=BLANK, target=_path(number), values=boxes)
        agent.call("fill_pdf_form", path=_path(number), values=values)
        agent.call("render_contact_sheet", path=_path(number))
    return _answer(rows)


@killed_by("fits")
def miss_long_address_in_one_line(work: Solved) -> None:
    """The lines of the address stand in the first field, which cuts them off; nothing else is wrong."""

    def change(fields: Mapping[str, Any]) -> None:
        whole = " ".join(str(fields[name].get("/V", "")) for name in ("address1", "address2", "address3"))
        _draw(fields["address1"], whole)
        for name in ("address2", "address3"):
            _draw(fields[name], "")

    _edit(work, work.facts["long"], change)


@killed_by("address", "fits")
def miss_address_without_its_end(work: Solved) -> None:
    """Only what fits the first line was entered."""

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("address2", "address3"):
            _draw(fields[name], "")

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_word_broken_between_lines(work: Solved) -> None:
    """The second line begins in the middle of a word."""

    def change(fields: Mapping[str, Any]) -> None:
        first, second = str(fields["address1"].V), str(fields["address2"].V)
        _draw(fields["address1"], first[:-3])
        _draw(fields["address2"], f"{first[-3:]} {second}"[:ROOM])

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_value_that_is_not_drawn(work: Solved) -> None:
    """The value is stored, the field shows another one."""
    _edit(work, next(iter(work.facts["forms"])), lambda fields: _draw(fields["phone"], "+00 000", stored=False))


@killed_by("days")
def miss_correction_overlooked(work: Solved) -> None:
    """A day of arrival is another one."""
    _edit(work, next(iter(work.facts["forms"])), lambda fields: _draw(fields["arrival"], "2026-04-12"))


@killed_by("person")
def miss_address_of_the_assistant(work: Solved) -> None:
    """The mail's sender stands in the form."""

    def change(fields: Mapping[str, Any]) -> None:
        _draw(fields["email"], f"office@{str(fields['email'].V).split('@')[1]}")

    _edit(work, next(iter(work.facts["forms"])), change)


@killed_by("choices")
def miss_every_box_ticked(work: Solved) -> None:
    """All boxes are on in the forms where one was off."""
    import pikepdf

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("parking", "vegetarian", "access"):
            fields[name].V = fields[name].AS = pikepdf.Name("/Yes")

    for number, form in work.facts["forms"].items():
        if not (form["parking"] and form["vegetarian"] and form["access"]):
            _edit(work, number, change)


@killed_by("form")
def miss_forms_flattened(work: Solved) -> None:
    """A form cannot be filled in any more."""
    import pikepdf

    path = work.files / _path(next(iter(work.facts["forms"])))
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        for each in opened.Root.AcroForm.Fields:
            each.Ff = int(each.get("/Ff", 0)) | 1
        opened.save(path)


@killed_by("others")
def miss_form_for_who_withdrew(work: Solved) -> None:
    """The withdrawn registration has a form, too."""
    source = work.files / _path(next(iter(work.facts["forms"])))
    (work.files / _path(work.facts["withdrawn"])).write_bytes(source.read_bytes())


@killed_by("overview")
def miss_days_as_text(work: Solved) -> None:
    """The overview has texts in place of days."""
    import openpyxl

    book = openpyxl.load_workbook(work.files / OVERVIEW)
    for row in book["Participants"].iter_rows(min_row=2, min_col=4, max_col=5):
        for cell in row:
            cell.value, cell.number_format = cell.value.date().isoformat(), "@"
    book.save(work.files / OVERVIEW)


@killed_by("looked")
def miss_nobody_looked(work: Solved) -> None:
    """The forms were never looked at."""
    work.calls = [call for call in work.calls if not call["media"]]


@killed_by("answer")
def miss_everybody_counted(work: Solved) -> None:
    """One more than needed."""
    work.answer = str(work.facts["parking"] + 1)


def _path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _edit(work: Solved, number: str, change: Callable[[Mapping[str, Any]], object]) -> None:
    import pikepdf

    path = work.files / _path(number)
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        change({str(each.get("/T", "")): each for each in opened.Root.AcroForm.Fields})
        opened.save(path)


def _draw(field: Any, text: str, *, stored: bool = True) -> None:
    """Give a field a value and the appearance that it has in most programs: one line in Helvetica, clipped."""
    import pikepdf

    box = [float(side) for side in field.Rect]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    said = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    look = field.AP.N
    look.BBox = [0, 0, box[2] - box[0], box[3] - box[1]]
    look.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Helv=font))
    look.write(b"/Tx BMC q BT /Helv 10 Tf 2 5 Td (" + said + b") Tj ET Q EMC")
    if stored:
        field.V = pikepdf.String(text)


def _mails(agent: Agent) -> list[Mail]:
    """Date, sender and text of each mail, the oldest first; quoted lines left out."""
    found = []
    for entry in agent.call("list_folder", path="inbox")["entries"]:
        raw = agent.call("read_file", path=entry["path"])["content"]
        read = email.message_from_string(raw, policy=email.policy.default)
        body = read.get_body(preferencelist=("plain",))
        text = "\n".join(line for line in str(body.get_content() if body else "").splitlines() if line[:1] != ">")
        found.append((read["Date"].datetime, read["From"].addresses[0].addr_spec, text))
    return sorted(found)


def _forms(agent: Agent) -> dict[str, Form]:
    """The forms by number: registered in turn, corrected, withdrawn."""
    first = int(re.findall(r"FA-2026-(\d+)", agent.prompt)[0])
    entries: list[Form] = []
    for sent, sender, text in _mails(agent):
        if sent.year != 2026:
            continue
        own = [each for each in entries if each["email"] == sender]
        if "withdraw" in text:
            own[0]["gone"] = True
        elif "correct" in text:
            own[0].update(_day(text, "arrival", r"I arrive on"), **_wishes(text, only_said=True))
        elif re.search(r"badge", text):
            entries += _registered(sent, sender, text)
    return {f"FA-2026-{n:03d}": each for n, each in enumerate(entries, first) if not each.get("gone")}


def _registered(sent: datetime.datetime, sender: str, text: str) -> list[Form]:
    """The people that a mail registers."""
    received = {"received": sent.date().isoformat()}
    if re.search(r"^1\. ", text, re.MULTILINE):
        parts = re.findall(r"^\d\. (.+)\n((?:   .+\n)+)", text + "\n", re.MULTILINE)
        return [{"name": name.strip(), **received, **_listed(lines)} for name, lines in parts]
    text = text.replace("\r", "")
    form = {"email": sender, "name": text.strip().split("\n")[-1].strip(), **received, **_wishes(text)}
    form |= {**_day(text, "arrival", "arrive on"), **_day(text, "departure", "leave on")}
    for name, pattern in {
        "company": r"(?:work for|Company:|I am with) (.+?)(?:, (?=\d|phone)|\n|$)",
        "address": r"(?:work for .+?, |Address: |full address: )(.+?)(?:\. You|\.?\n)",
        "phone": r"(?:reach me under|Phone:|phone) (\+[\d ]+\d)",
    }.items():
        form[name] = " ".join(re.findall(pattern, text)[0].split())
    other = re.search(r"writing for (.+?) \((.+?)\)", " ".join(text.split()))
    if other:
        form["name"], form["email"] = other.groups()
    return [form]


def _listed(lines: str) -> Form:
    said = dict(re.findall(r"^\s+(.+?): (.+)$", lines.replace("\r", ""), re.MULTILINE))
    days = [f"2026-{int(month):02d}-{int(day):02d}" for day, month in re.findall(r"(\d+)/(\d+)", said["From/to"])]
    ticket = {"one day": "One-day", "three days": "Three-day", "exhibitor": "Exhibitor"}[said["Ticket"]]
    return {
        "company": said["Company"],
        "address": said["Address"],
        "phone": said["Phone"],
        "email": said["E-mail"],
        "arrival": days[0],
        "departure": days[1],
        "ticket": ticket,
        "parking": said["Car park"] == "yes",
        "vegetarian": said["Lunch"] == "vegetarian",
        "access": said["Wheelchair"] == "yes",
        "language": said["Language of badge"],
    }


def _day(text: str, name: str, before: str) -> Form:
    lined = " ".join(text.split())
    spelled = re.search(rf"{before} \w+, (\d+) April", lined)
    if spelled:
        return {name: f"2026-04-{int(spelled[1]):02d}"}
    digits = re.search(rf"{before} (\d+)\.(\d+)\.2026", lined)
    return {name: f"2026-{digits[2]}-{digits[1]}"} if digits else {}


def _wishes(text: str, *, only_said: bool = False) -> Form:
    lined = " ".join(text.split())
    ticket = "Exhibitor" if "exhibitor" in lined else next(TICKETS[each] for each in TICKETS if each in lined)
    found: Form = {"ticket": ticket, "parking": "need a parking space" in lined}
    if not only_said:
        language = re.findall(r"badge should be in (\w+)", lined)[0]
        found |= {"vegetarian": "No meat" in lined, "access": "wheelchair" in lined, "language": language}
    return found


def _values(number: str, form: Form) -> Form:
    """The fields of a form; the address in lines that fit."""
    lines: list[str] = [""]
    for word in str(form["address"]).split():
        if len(lines[-1]) + len(word) + 1 > ROOM:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    address = {f"address{n}": lines[n - 1] if n <= len(lines) else None for n in (1, 2, 3)}
    names = ("received", "name", "company", "phone", "email", "arrival", "departure", "ticket")
    boxes = ("parking", "vegetarian", "access", "language")
    return {"reg_no": number, **address, **{name: form[name] for name in (*names, *boxes)}}


def _rows(forms: Mapping[str, Form]) -> list[list[str]]:
    rows = [
        [number, *(str(form[name]) for name in ("name", "company", "arrival", "departure", "ticket")),
         "yes" if form["parking"] else "no"]
        for number, form in forms.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row[3], row[0]))


def _answer(rows: list[list[str]]) -> str:
    return str(sum(row[-1] == "yes" for row in rows))
