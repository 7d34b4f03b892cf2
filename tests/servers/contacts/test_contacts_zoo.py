"""Cards of many programs are read, and a change leaves all that it does not name as it was."""

import pytest
from support.agendas import ADA, make_agenda
from support.answers import Call
from zoo.contacts import CARDS, make_card

from yardkit.apps.contacts import AddressBook
from yardkit.world import World

REWRITTEN = ("windows letters", "folded within a letter", "bare line feeds")
"""Cards that a change writes in UTF-8 and with the line ends of the standard."""


@pytest.fixture(autouse=True)
def book(world: World) -> AddressBook:
    make_agenda(world)
    return AddressBook(world, ADA)


def _list_lines(book: AddressBook, name: str = "eva") -> list[str]:
    return (book.root / f"{name}.vcf").read_bytes().decode().split("\r\n")


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_read_and_keeps_its_lines_when_a_number_is_added(done: Call, book: AddressBook, name: str) -> None:
    case = CARDS[name]
    book.save("eva.vcf", case.data)
    reply = done("find_contacts")
    (contact,) = reply["contacts"]
    facts = (contact["name"], contact["emails"], contact["phones"], contact.get("birthday", ""))
    assert facts == (case.name, case.emails, case.phones, case.birthday)
    assert case.noted in str(reply["damaged"])
    assert bool(case.noted) == bool(reply["damaged"])
    done("save_contact", contact_id="eva", phones=[*case.phones, "+43 9"])
    after = _list_lines(book)
    assert "TEL:+43 9" in after
    if name not in REWRITTEN:
        assert [line for line in case.data.decode().split("\r\n") if line not in after] == []


def test_labels_go_with_what_they_label(done: Call, book: AddressBook) -> None:
    school = ["item1.EMAIL:a@x.example", "item1.X-ABLabel:School"]
    club = ["item2.EMAIL;PREF=1:b@x.example", "item2.X-ABLabel:Club"]
    book.save("eva.vcf", make_card("FN:Eva", *school, *club))
    done("save_contact", contact_id="eva", emails=["b@x.example"])
    assert _list_lines(book)[4:6] == club
    assert "School" not in "".join(_list_lines(book))


def test_a_corrected_number_keeps_its_label_and_the_first_is_preferred(done: Call, book: AddressBook) -> None:
    book.save("eva.vcf", make_card("FN:Eva", "TEL;TYPE=CELL:+43 1", "TEL;TYPE=WORK;TYPE=pref:+43 2"))
    done("save_contact", contact_id="eva", phones=["+43 11", "+43 2"])
    assert _list_lines(book)[4:6] == ["TEL;TYPE=CELL:+43 11", "TEL;TYPE=WORK;TYPE=pref:+43 2"]
    done("save_contact", contact_id="eva", phones=["+43 2", "+43 11"])
    assert _list_lines(book)[4:6] == ["TEL;TYPE=WORK:+43 2", "TEL;TYPE=CELL:+43 11"]


def test_a_second_address_of_the_post_stays(done: Call, book: AddressBook) -> None:
    work = "ADR;TYPE=WORK:;;Ring 2;Wien;;1010;Austria"
    book.save("eva.vcf", make_card("FN:Eva", "ADR;TYPE=HOME:;;Main St 1;Wien;;;", work))
    contact = done("save_contact", contact_id="eva", postal_address="Side St 3, Wien")["contact"]
    assert contact["address"] == "Side St 3, Wien"
    assert _list_lines(book)[4:6] == ["ADR;TYPE=HOME:;;Side St 3\\, Wien;;;;", work]


def test_a_card_of_old_phones_is_read_and_not_changed(done: Call, refused: Call, book: AddressBook) -> None:
    note = "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=C3=9Fe=0D=0A=\r\naus K=C3=B6=\r\nln"
    lines = ["N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:L=C3=ACnd;Eva;;;", "TEL;CELL;VOICE:+43 1", note]
    book.save("old.vcf", make_card(*lines, version="2.1"))
    (contact,) = done("find_contacts", query="Köln")["contacts"]
    assert (contact["name"], contact["phones"], contact["note"].split()) == (
        "Eva Lìnd",
        ["+43 1"],
        ["Grüße", "aus", "Köln"],
    )
    assert "2.1" in refused("save_contact", contact_id=contact["id"], phones=["+43 2"])


def test_several_cards_in_one_file_are_counted(done: Call, book: AddressBook) -> None:
    book.save("all.vcf", make_card("FN:Eva Lind") + make_card("FN:Bo Ek") + make_card("FN:Jo Berg"))
    reason = done("find_contacts")["damaged"][0]["reason"]
    assert "3 cards" in reason
    assert "'Eva Lind'" in reason
