"""Contacts are found, made, changed and deleted, in cards that other programs wrote, too."""

from pathlib import Path

import pytest
from support.agendas import ADA, make_agenda
from support.answers import Call

from yardkit.apps.contacts import AddressBook, Card, Contact, card_name, contact_card
from yardkit.world import World

APPLE = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Apple Inc.//macOS//EN\r\nUID:apple\r\nN:Berg;Jo;;;\r\nFN:Jo\r\n  Berg\r\n"
    'item1.EMAIL;TYPE="INTERNET,HOME":jo@out.example\r\nitem1.X-ABLabel:_$!<Other>!$_\r\nTEL;type=CELL:+43 1\\,2\r\n'
    "ADR;TYPE=HOME:;;Main St 1;Vienna;;1010;Austria\r\nNOTE:a\\nb\\;c\r\nBDAY:--0501\r\nEND:VCARD\r\n"
)


@pytest.fixture(autouse=True)
def book(world: World) -> AddressBook:
    make_agenda(world)
    address_book = AddressBook(world, ADA)
    address_book.save("apple.vcf", APPLE.encode())
    return address_book


def test_a_contact_is_made_found_and_changed(done: Call, book: AddressBook) -> None:
    contact = done(
        "save_contact",
        name="Eva Maria Lind",
        emails=["eva@a.example", "e@b.example"],
        organization="Lind, Sons; Ltd",
        postal_address="Ring 1; 2, Wien",
        birthday="1984-05-01",
        groups=["a,b", "c"],
        note="x\ny;z,q\\",
    )["contact"]
    (matching_contact,) = done("find_contacts", query="LIND ring")["contacts"]
    assert matching_contact == contact
    assert (matching_contact["name"], matching_contact["organization"], matching_contact["address"]) == (
        "Eva Maria Lind",
        "Lind, Sons; Ltd",
        "Ring 1; 2, Wien",
    )
    assert (matching_contact["groups"], matching_contact["note"], matching_contact["birthday"]) == (
        ["a,b", "c"],
        "x\ny;z,q\\",
        "1984-05-01",
    )
    text = (book.root / card_name(contact["id"])).read_text()
    assert "N:Lind;Eva Maria;;;\n" in text
    assert "ADR:;;Ring 1\\; 2\\, Wien;;;;\n" in text
    changed = done("save_contact", contact_id=contact["id"], phones=["+43 1 2"], note="")["contact"]
    assert (changed["phones"], changed.get("note", ""), changed["emails"]) == (
        ["+43 1 2"],
        "",
        ["eva@a.example", "e@b.example"],
    )


def test_a_card_of_another_program_is_read_and_keeps_what_is_not_changed(done: Call, book: AddressBook) -> None:
    (contact,) = done("find_contacts", query="jo@out.example")["contacts"]
    assert (contact["name"], contact["phones"], contact["birthday"]) == ("Jo Berg", ["+43 1,2"], "--05-01")
    assert (contact["address"], contact["note"]) == ("Main St 1, Vienna, 1010, Austria", "a\nb;c")
    done("save_contact", contact_id="apple", title="Head of Sales")
    assert (book.root / "apple.vcf").read_text() == APPLE.replace("\r\n", "\n").replace(
        "Jo\n  Berg", "Jo Berg"
    ).replace("END:VCARD", "TITLE:Head of Sales\nEND:VCARD")


def test_a_contact_is_deleted_and_others_are_named(done: Call, refused: Call) -> None:
    done("delete_contact", contact_id="apple")
    assert done("find_contacts")["total"] == 0
    done("save_contact", name="Bo")
    assert "there are 1, such as" in refused("delete_contact", contact_id="apple")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"BEGIN:VCARD\r\nUI",
        b"\xff\xfe",
        b"BEGIN:VCARD\r\nFN:x\r\nEND:VCARD\r\n",
        b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:y\r\nEND:VCARD\r\n",
        b"BEGIN:VCARD\r\nUID x\r\nEND:VCARD\r\n",
    ],
)
def test_a_damaged_card_is_named_and_the_rest_works(done: Call, book: AddressBook, data: bytes) -> None:
    book.save("bad.vcf", data)
    reply = done("find_contacts")
    assert (
        [contact["id"] for contact in reply["contacts"]],
        [damaged_file["file"] for damaged_file in reply["damaged"]],
    ) == (
        ["apple"],
        ["bad.vcf"],
    )
    assert done("save_contact", contact_id="apple", note="")["done"] == "changed"


def test_what_is_no_contact_is_refused(refused: Call) -> None:
    assert "has no name" in refused("save_contact")
    assert "each must be one line" in refused("save_contact", name="A\nEMAIL:x")
    assert "is not a valid birthday" in refused("save_contact", name="A", birthday="1 May")


def test_long_lines_are_cut_between_characters(files: Path) -> None:
    contact = Contact("u", "Ü" * 100, note="ä" * 300)
    data = contact_card(contact)
    assert max(map(len, data.split(b"\r\n"))) <= 75
    assert Card.read(data).read_contact() == contact


def test_numbers_and_addresses_come_with_their_labels(done: Call, book: AddressBook) -> None:
    card = (
        "BEGIN:VCARD\nVERSION:3.0\nUID:two\nFN:Łukasz Büchner\nTEL;TYPE=WORK;TYPE=FAX:+48 1\n"
        "TEL;TYPE=home,voice,pref:+48 2\n"
        "item1.TEL:+48 3\nitem1.X-ABLabel:Cottage\nTEL;VALUE=uri;PREF=1;TYPE=\"cell,voice\":tel:+48-4\nTEL:+48 5\n"
        "EMAIL;INTERNET;WORK:l@w.example\nEND:VCARD\n"
    )  # fmt: skip
    book.save("two.vcf", card.encode())
    (contact,) = done("find_contacts", query="lukasz buchner")["contacts"]
    assert contact["labels"] == {
        "l@w.example": "work",
        "+48 1": "work fax",
        "+48 2": "home",
        "+48 3": "Cottage",
        "+48-4": "mobile",
    }
    changed = done("save_contact", contact_id="two", phones=["+48 5", "+48-4"])["contact"]
    assert changed["labels"] == {"l@w.example": "work", "+48-4": "mobile"}
    (apple,) = done("find_contacts", query="berg")["contacts"]
    assert apple["labels"] == {"jo@out.example": "home Other", "+43 1,2": "mobile"}


@pytest.mark.parametrize(
    ("kind", "member"), [("KIND", "MEMBER"), ("X-ADDRESSBOOKSERVER-KIND", "X-ADDRESSBOOKSERVER-MEMBER")]
)
def test_a_list_of_contacts_names_its_members(done: Call, book: AddressBook, kind: str, member: str) -> None:
    card = (
        f"BEGIN:VCARD\nVERSION:3.0\nUID:board\nFN:Board\n{kind}:group\n{member}:urn:uuid:APPLE\n"
        f"{member}:mailto:jo@out.example\n{member}:urn:uuid:gone\nEND:VCARD\n"
    )
    book.save("board.vcf", card.encode())
    (contact,) = done("find_contacts", query="board")["contacts"]
    assert contact["members"] == ["Jo Berg", "Jo Berg", "gone (not in the address book)"]
    done("save_contact", contact_id="board", name="The board")
    assert f"{member}:urn:uuid:APPLE" in (book.root / "board.vcf").read_text()
