"""What is refused for all tools before any sees it, and what counts as left out."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field
from support.answers import make_caller, read_text

from yardkit.kit.surface import make_server, tool

mcp = make_server("toy", "Echoes what it is called with.")


class Part(BaseModel):
    name: str
    size: int | None = None
    color: str = "red"
    value: Annotated[str | float | None, Field()] = "none"
    tags: list[str] | None = None


@dataclass(frozen=True)
class Echo:
    message: str

    def __str__(self) -> str:
        return self.message


@tool(mcp)
def echo_words(
    text: Annotated[str, Field(description="Text.")] = "-",
    count: Annotated[int, Field(description="Count.")] = 1,
    large: Annotated[int, Field(description="A large count.", le=10**12)] = 1,
    ratio: Annotated[float, Field(description="Ratio.")] = 1,
    cells: Annotated[list[list[str | float | None]] | None, Field(description="Values.")] = None,
    parts: Annotated[list[Part] | None, Field(description="Parts.")] = None,
    sides: Annotated[list[Literal["left", "right"]] | None, Field(description="Sides.")] = None,
    free: Annotated[dict[str, Any] | None, Field(description="Anything.")] = None,
    spans: Annotated[list[float] | None, Field(description="Lengths.")] = None,
    pair: Annotated[list[float] | None, Field(description="From, to.", min_length=2, max_length=2)] = None,
) -> Echo:
    """Say what came."""
    return Echo(repr((text, count, large, ratio, cells, parts, sides, free, spans, pair)))


call = make_caller(mcp)
EVERY_DEFAULT = read_text(call("echo_words"))


def call_refused(**arguments: Any) -> str:
    answer = call("echo_words", **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\x0c", "\ud83d", "\uffff"])
def test_half_characters_and_control_characters_are_refused_wherever_they_stand(sign: str) -> None:
    number = (
        "is an unpaired surrogate, such as half of an emoji"
        if "\ud800" <= sign <= "\udfff"
        else f"is U+{ord(sign):04X}, a control character"
    )
    assert f"text: character 3 {number}" in call_refused(text=f"ab{sign}")
    assert f"cells.1.0: character 1 {number}" in call_refused(cells=[["a"], [sign]])
    assert f"parts.0.name: character 1 {number}" in call_refused(parts=[{"name": sign}])
    assert f"free.a.b.0: character 2 {number}" in call_refused(free={"a": {"b": [f"x{sign}"]}})
    assert number in call_refused(free={sign: 1})


def test_texts_of_several_lines_in_any_script_are_taken() -> None:
    text = "a\tb\r\nc\u202e\u200b\ufeff\x7f\x85 \U0001f469\u200d\U0001f680 \u05d0 \\u0000 \\ud83d"
    assert repr(text) in read_text(call("echo_words", text=text))


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"sides": "left"}, {"sides": ["left"]}),
        ({"sides": '["left", "right"]'}, {"sides": ["left", "right"]}),
        ({"parts": {"name": "a"}}, {"parts": [{"name": "a"}]}),
        ({"parts": [{"name": "a", "tags": "[x"}]}, {"parts": [{"name": "a", "tags": ["[x"]}]}),
        ({"spans": 3}, {"spans": [3]}),
        ({"free": {"a": "b"}}, {"free": {"a": "b"}}),
    ],
)
def test_an_item_alone_is_taken_where_a_list_of_one_is_meant(given: dict[str, Any], taken: dict[str, Any]) -> None:
    assert read_text(call("echo_words", **given)) == read_text(call("echo_words", **taken)) != EVERY_DEFAULT


def test_an_item_alone_is_no_row_and_no_pair_and_what_fits_no_item_is_refused() -> None:
    assert "cells: Input should be a valid list" in call_refused(cells="a")
    assert "cells.0: Input should be a valid list" in call_refused(cells=["a"])
    assert "pair: Input should be a valid list" in call_refused(pair=1.5)
    assert "sides: Input should be a valid list" in call_refused(sides=3)
    assert "sides.0: Input should be 'left' or 'right'" in call_refused(sides="up")
    assert "sides.0: character 1 is U+0000" in call_refused(sides='["\\u0000"]')


@pytest.mark.parametrize("number", [2**63, -(2**63), math.inf, math.nan, 1e101])
def test_a_number_beyond_use_is_refused_with_its_place(number: float) -> None:
    assert call_refused(count=number).startswith("wrong arguments for echo_words: count: give a number")
    assert "ratio: give a number" in call_refused(ratio=number * 1e90)
    assert "parts.0.size: give a number" in call_refused(parts=[{"name": "a", "size": number}])


@pytest.mark.parametrize("number", ["1e999", "inf", "-Infinity", "nan", "9" * 30, "9" * 5000])
def test_a_number_written_as_text_is_held_to_the_same(number: str) -> None:
    assert "count: give a number" in call_refused(count=number)
    assert repr(number) in read_text(call("echo_words", text=number))


def test_a_stated_limit_and_values_of_cells_go_further() -> None:
    assert "1000000000000" in read_text(call("echo_words", large=10**12))
    assert "large: give a number from -1,000,000,000,000 to" in call_refused(large=10**12 + 1)
    assert "1e+308" in read_text(call("echo_words", cells=[[1e308, 2**60]]))
    assert "cells.0.0: give a number" in call_refused(cells=[[math.inf]])
    assert "{'a': 'nan'}" in read_text(call("echo_words", free={"a": "nan"}))
    assert "free.a: give a number from -1.79769e+308 to 1.79769e+308" in call_refused(free={"a": 10**400})


def test_null_means_left_out_wherever_an_argument_may_be_left_out() -> None:
    nothing = dict.fromkeys(("text", "count", "large", "ratio", "cells", "parts", "sides", "free"))
    assert read_text(call("echo_words", **nothing)) == EVERY_DEFAULT
    assert read_text(call("echo_words", parts=[{"name": "a", "size": None, "color": None}])) == read_text(
        call("echo_words", parts=[{"name": "a"}])
    )
    assert "parts.0.name: Input should be a valid string" in call_refused(parts=[{"name": None}])


def test_null_is_a_value_where_the_schema_says_so() -> None:
    assert "[[None, 'a']]" in read_text(call("echo_words", cells=[[None, "a"]]))
    assert "value=None" in read_text(call("echo_words", parts=[{"name": "a", "value": None}]))
    assert "{'a': None}" in read_text(call("echo_words", free={"a": None}))


def test_what_is_nested_beyond_all_use_is_refused() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    assert "nested deeper than 60" in call_refused(free={"a": deep})


def test_a_word_that_other_tools_use_is_taken_for_ours_and_never_twice() -> None:
    @tool(mcp := make_server("words", "Tools."))
    def save_note(path: str, target: str, query: str = "") -> Saved:
        """Save a note."""
        return Saved(f"{path} {target} {query}")

    call = make_caller(mcp)
    assert read_text(call("save_note", file_path="a", output_path="b", text="c")) == "a b c"
    twice = read_text(call("save_note", path="a", output_path="b", target="c"))
    assert "output_path: Unexpected keyword argument (given: 'b')" in twice
    assert "file: Unexpected keyword argument" in read_text(call("save_note", file_path="a", file="b", target="c"))


@dataclass(frozen=True)
class Saved:
    words: str

    def __str__(self) -> str:
        return self.words
