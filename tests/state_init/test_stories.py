"""Story lines: whatever a letter or an event names leads to a record, in the order in which things happen."""

import datetime
import random
import re
from email.utils import parseaddr

import pytest
from support.other_pythons import OTHER_PYTHONS, printed_by

from yardkit.state_init.cast import Cast, make_cast
from yardkit.state_init.company.stories import Stories, make_stories

NOW = datetime.datetime(2026, 3, 16, 9, tzinfo=datetime.UTC)
SEEDS = range(4)


def make_seeded_stories(seed: int) -> tuple[Cast, Stories]:
    cast = make_cast(random.Random(f"desk/x:{seed}:cast"), NOW.date())
    return cast, make_stories(cast, random.Random(f"desk/x:{seed}:stories"), NOW)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_number_in_a_letter_or_an_event_leads_to_a_record(seed: int) -> None:
    cast, stories = make_seeded_stories(seed)
    orders = {str(sale.order) for sale in stories.sales}
    papers = {sale.invoice for sale in stories.sales} | {sale.tracking for sale in stories.sales}
    papers |= {sale.refund.number for sale in stories.sales if sale.refund}
    for purchase in stories.purchases:
        papers |= {purchase.order, purchase.offer, purchase.withdrawn, purchase.invoice, purchase.delivery_note}
    skus = {product.sku for product in cast.products} | {variant.sku for it in cast.products for variant in it.variants}
    for letter in stories.letters:
        text = f"{letter.subject}\n{letter.text}\n" + "\n".join(file.name for file in letter.files)
        assert {*re.findall(r"\b10\d{3}\b", text)} <= orders
        assert {*re.findall(r"\b(?:INV-\d{4}|CN-\d{4}|PO|Q|DN)-\d+|\bPX\d+", text)} <= papers
        assert {*re.findall(r"\(([A-Z]{3}-[\w-]+)\)", letter.text)} <= skus | {
            hiring.number for hiring in stories.hirings
        }
    about = orders | {hiring.number for hiring in stories.hirings} | {course.code for course in cast.courses}
    assert stories.meetings
    assert {meeting.about for meeting in stories.meetings} <= about


@pytest.mark.parametrize("seed", SEEDS)
def test_letters_go_between_people_whom_the_cast_or_a_story_knows_and_the_owner_gets_them_all(seed: int) -> None:
    cast, stories = make_seeded_stories(seed)
    known = {person.email for person in (*cast.staff, *cast.contacts, *cast.school.teachers)}
    known |= {candidate.email for hiring in stories.hirings for candidate in hiring.candidates} | {
        "no-reply@parcelexpress.example"
    }
    for letter in stories.letters:
        people = {parseaddr(address)[1] for address in (letter.sender, *letter.to, *letter.cc)}
        assert cast.owner.email in people <= known
    for meeting in stories.meetings:
        assert {meeting.organizer, *meeting.people} <= known


@pytest.mark.parametrize("seed", SEEDS)
def test_an_answer_comes_after_what_it_answers_and_nothing_comes_after_now(seed: int) -> None:
    _, stories = make_seeded_stories(seed)
    by_key = {letter.key: letter for letter in stories.letters}
    assert len(by_key) == len(stories.letters) == len({letter.message_id for letter in stories.letters})
    assert all(letter.sent <= NOW for letter in stories.letters)
    answers = [letter for letter in stories.letters if letter.answers]
    assert len(answers) > 20
    for letter in answers:
        asked = by_key[letter.answers]
        assert asked.sent < letter.sent
        assert letter.subject.removeprefix("Re: ") == asked.subject.removeprefix("Re: ")


@pytest.mark.parametrize("seed", SEEDS)
def test_sales_end_in_every_way_and_their_sums_fit(seed: int) -> None:
    _, stories = make_seeded_stories(seed)
    assert {sale.ending for sale in stories.sales} >= {"refunded", "complained", "delivered", "cancelled", "shipped"}
    assert [sale.order for sale in stories.sales] == sorted({sale.order for sale in stories.sales})
    for sale in stories.sales:
        assert sale.total == sale.net - sale.discount + sale.tax
        moments = [sale.ordered, sale.invoiced, sale.shipped, sale.delivered]
        moments += [
            sale.complaint.complained_at if sale.complaint else None,
            sale.refund.refunded_at if sale.refund else None,
        ]
        there = [moment for moment in moments if moment]
        assert there == sorted(there)
        assert (sale.refund is not None) == (sale.ending == "refunded")
        if sale.complaint and sale.refund:
            assert sale.complaint.pieces <= sale.complaint.line.quantity
            assert 0 < sale.refund.amount <= sale.total
            assert f"EUR {sale.refund.amount / 100:,.2f}" in sale.letters[-1].text
    for purchase in stories.purchases:
        assert sum(line.amount for line in purchase.withdrawn_lines) < purchase.net


def test_one_of_three_candidates_withdraws_and_two_are_easily_mixed_up() -> None:
    hiring = make_seeded_stories(0)[1].hirings[0]
    assert len(hiring.meetings) == 3
    assert [
        candidate.interview.cancelled for candidate in hiring.candidates if candidate.withdrawn and candidate.interview
    ] == [True]
    invited = [candidate.first for candidate in hiring.candidates if candidate.interview]
    assert len(invited) == len({*invited}) + 1


SCRIPT = """
import datetime, random
from yardkit.state_init.cast import make_cast
from yardkit.state_init.company.stories import make_stories
now = datetime.datetime(2026, 3, 16, 9, tzinfo=datetime.UTC)
for seed in range(4):
    cast = make_cast(random.Random(f"desk/x:{seed}:cast"), now.date())
    print(make_stories(cast, random.Random(f"desk/x:{seed}:stories"), now))
"""


@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_another_python_tells_the_same_stories(python: object) -> None:
    assert printed_by(str(python), SCRIPT) == "".join(f"{make_seeded_stories(seed)[1]}\n" for seed in SEEDS)
