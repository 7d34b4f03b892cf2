"""Laws: whatever the runs, replacing gives the text that Python gives; splitting runs changes no text."""

import copy
import datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import make_element
from yardkit.servers.documents.engine.markup.paragraph_text import isolate_runs, text_nodes, text_of
from yardkit.servers.documents.engine.text.inline_markup import parse_spans
from yardkit.servers.documents.engine.text.search_replace import Query

TEXTS = st.lists(st.text("ab \t\n", max_size=6), min_size=1, max_size=8)


def make_paragraph(texts: Any) -> Any:
    """A paragraph with a run for each text; every third run is bold, every fourth in a link."""
    element = make_element("w:p")
    for number, text in enumerate(texts):
        properties = [make_element("w:rPr", make_element("w:b"))] if number % 3 == 2 else []
        run = make_element("w:r", *properties, *text_nodes(text))
        element.append(make_element("w:hyperlink", run, anchor="x") if number % 4 == 3 else run)
    return element


@given(TEXTS)
def test_the_text_of_a_paragraph_is_that_of_its_runs(texts: Any) -> None:
    assert text_of(make_paragraph(texts)) == "".join(texts)


@given(TEXTS, st.data())
def test_isolated_runs_hold_the_span_and_nothing_else(texts: Any, data: Any) -> None:
    element, full_text = make_paragraph(texts), "".join(texts)
    start = data.draw(st.integers(0, len(full_text)))
    end = data.draw(st.integers(start, len(full_text)))
    isolated_runs = isolate_runs(element, start, end)
    assert "".join(text_of(make_element("w:p", copy.deepcopy(run))) for run in isolated_runs) == full_text[start:end]
    assert text_of(element) == full_text


@settings(max_examples=200)
@given(TEXTS, st.text("ab", min_size=1, max_size=3), st.text("abc ", max_size=4), st.booleans())
def test_replacing_gives_the_text_that_python_gives(texts: Any, find: Any, new: Any, tracked: Any) -> None:
    element, full_text = make_paragraph(texts), "".join(texts)
    tracker = tracking.Tracker("A", datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)) if tracked else None
    for match in reversed(Query(find).make_finder()(full_text)):
        tracking.replace_span(element, match.start, match.end, new, tracker)
    assert text_of(element) == full_text.replace(find, new)


@given(st.text("ab*~`{}\\ ", max_size=20))
def test_markup_loses_no_letters(text: Any) -> None:
    text_without_markup = "".join(span.text for span in parse_spans(text))
    assert [letter for letter in text_without_markup if letter in "ab"] == [letter for letter in text if letter in "ab"]
