"""TEXT shows numbers, dates and times as Excel does, for formats that stand in the formula.

Dates and times are checked against Python's own; what stands in the table was worked out from Excel's rules: the sign
of the value chooses the part of the format, halves go away from zero, minutes beside seconds are minutes.
"""

from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from support.answers import Call

NUMBERS = {
    ("-1", "0"): "-1",
    ("-0.6", "0"): "-1",
    ("-0.4", "0"): "0",
    ("-1", "#,##0"): "-1",
    ("-1", '"Q"0'): "-Q1",
    ("-1", "000-0000"): "-000-0001",
    ("-1.4", "$0"): "-$1",
    ("-1234.567", "#,##0.00"): "-1,234.57",
    ("-1234.567", "#,##0.00;(#,##0.00)"): "(1,234.57)",
    ("-0.004", "#,##0.00;(#,##0.00)"): "(0.00)",
    ("0.004", '0.00;-0.00;"-"'): "0.00",
    ("0", '0.00;-0.00;"-"'): "-",
    ("0.1", "+0;-0;0"): "+0",
    ("-3", "+0;-0;0"): "-3",
    ("5", "0;;"): "5",
    ("-5", "0;;"): "",
    ("0", "0;;"): "",
    ("2.675", "0.00"): "2.68",
    ("-2.5", "0"): "-3",
    ("12.5", "0;-0;;@"): "13",
    ('"abc"', "0;-0;;@"): "abc",
    ('"12"', "0.00"): "12.00",
    ("TRUE", "0.00"): "TRUE",
    ("TRUE", "yyyy-mm-dd"): "TRUE",
    ("12.5", "@"): "12.5",
    ("1234567.891", "@"): "1234567.891",
    ("46112.604166666664", "General"): "46112.60417",
    ("-1", "General"): "-1",
    ("123456789012", "General"): "1.23457E+11",
    ("1234567", '0.0,,"M"'): "1.2M",
    ("0.125", "0.0%"): "12.5%",
    ("46112", "[$-409]mmmm d, yyyy"): "March 31, 2026",
    ("46112", "[$-en-US]ddd d mmm"): "Tue 31 Mar",
    ("0.75", "h AM/PM"): "6 PM",
    ("1.75", "[h]:mm"): "42:00",
    ("0.0104166666666667", "mm:ss"): "15:00",
    ("46112.0104166666667", "m:ss"): "15:00",
    ("0.5", "[mm]:ss"): "720:00",
    ("0", "yyyy-mm-dd"): "1900-01-00",
    ("1", "d mmm"): "1 Jan",
    ("0", 'd"th"'): "0th",
    ("0.999", "# ??/16"): "1      ",
    ("-2.5", "# ??/16"): "-2  8/16",
    ("0.25", "# ?/2"): " 1/2",
    ("3.14159", "# ?/?"): "3 1/7",
    ("1.5", "0/4"): "6/4",
    ("12", "0,000"): "0,012",
    ("1", "0.??"): "1.  ",
    ("46112", "[$-407]dddd"): "Dienstag",
    ("1.75", "[h]:mm:ss"): "42:00:00",
}  # fmt: skip
CODES = {
    "hh:mm:ss": "%H:%M:%S",
    "hh:mm": "%H:%M",
    "yyyy-mm-dd hh:mm": "%Y-%m-%d %H:%M",
    "dd/mm/yyyy hh:mm:ss AM/PM": "%d/%m/%Y %I:%M:%S %p",
    "mm:ss": "%M:%S",
    "dddd, mmmm dd": "%A, %B %d",
    "yyyymmdd_hhmmss".replace("_", "-"): "%Y%m%d-%H%M%S",
}


@pytest.fixture
def values(call: Call) -> Any:
    def of(rows: Any) -> Any:
        answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=rows)
        assert not answer.is_error, answer.content[0].text
        assert not answer.structured_content.get("unknown")
        last = f"{'CDEFGHIJKLMN'[len(rows[0]) - 1]}{len(rows)}"
        read = call("read_cells", path="a.xlsx", range=f"C1:{last}", limit=len(rows))
        return read.structured_content["rows"]

    return of


def quote_literal(code: Any) -> Any:
    return '"' + code.replace('"', '""') + '"'


def test_numbers_are_shown_in_the_part_and_with_the_sign_that_excel_gives(call: Call, values: Any) -> None:
    call("write_cells", path="a.xlsx", rows=[["x"]])
    results = values([[f"=TEXT({value},{quote_literal(code)})"] for value, code in NUMBERS])
    texts = {case: row[0] or "" for case, row in zip(NUMBERS, results, strict=True)}
    assert {case: text for case, text in texts.items() if text != NUMBERS[case]} == {}


def test_every_time_of_a_day_is_shown_and_taken_apart_as_it_is(files: Path, values: Any) -> None:
    chance, first, second = Random(7), datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("1999-05-03")
    moments = [first + timedelta(minutes=minute) for minute in range(0, 1440, 9)]
    moments += [second + timedelta(seconds=chance.randrange(86_400)) for _ in range(120)]
    book = openpyxl.Workbook()
    for moment in moments:
        book.active.append([moment])
    book.save(files / "a.xlsx")
    rows = [
        [f'=TEXT(A{row},"{code}")' for code in CODES] + [f"=HOUR(A{row})", f"=MINUTE(A{row})", f"=SECOND(A{row})"]
        for row in range(1, len(moments) + 1)
    ]
    right = [
        [moment.strftime(code) for code in CODES.values()] + [moment.hour, moment.minute, moment.second]
        for moment in moments
    ]
    assert values(rows) == right


def test_texts_of_arrays_have_their_signs_and_times(call: Call, values: Any) -> None:
    call("write_cells", path="a.xlsx", rows=[[-1, 0.604166666666667], [2, 0.25]])
    rows = values([['=TEXTJOIN(",",TRUE,TEXT(A1:A2,"0"))', '=TEXTJOIN(",",TRUE,TEXT(B1:B2,"hh:mm"))']])
    assert rows == [["-1,2", "14:30,06:00"]]


@pytest.mark.parametrize("code", ["[<1]0.00;0", "0.00E+00", "# ?/?", "hh:mm:ss.0", "£0.00", "#,##0.00 [$€-1]", "* 0"])
def test_formats_that_the_engine_does_not_know_are_left_to_others_or_unknown(call: Call, code: str) -> None:
    call("write_cells", path="a.xlsx", rows=[[0.5]])
    answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=[[f'=TEXT(A1,"{code}")']])
    cell_text = call("read_cells", path="a.xlsx", range="C1").structured_content["rows"][0][0]
    right = {"[<1]0.00;0": "0.50", "0.00E+00": "5.00E-01", "# ?/?": " 1/2", "hh:mm:ss.0": "12:00:00.0"}
    right |= {"£0.00": "£0.50", "#,##0.00 [$€-1]": "0.50 €", "* 0": "1"}
    reasons = [cell["reason"] for cell in answer.structured_content.get("unknown", [])]
    assert cell_text == right[code] or "format" in reasons[0]


@pytest.mark.parametrize(
    ("value", "code"),
    [("1.5", "0 0/0"), ("46112", "q"), ("46112", "e"), ("46112", "[$-F800]dddd"), ("50", "[>100]0"), ("0.75", "h A/P"),
     ("-0.5", "[h]:mm"), ("-1", "yyyy"), ("46112", "[$-2000000]d")],
)  # fmt: skip
def test_formats_that_other_programs_show_in_other_ways_are_unknown(call: Call, value: str, code: str) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[f'=TEXT({value},"{code}")']])
    assert "Excel" in answer.structured_content["unknown"][0]["reason"]


IN_CELLS = [
    ("d-m-y", 46086, "5-3-26"),
    ("d-mmm-yyy", 46086, "5-Mar-2026"),
    ("#,##0.00%", 0.00035, "0.04%"),
    ("General", 1.23456789123, "1.234567891"),
    ("General", 1e11, "1E+11"),
    ("0", -0.6, "-1"),
    ("hh:mm", 0.604166666666667, "14:30"),
    ("dddd", 46086, "Thursday"),
    ("#,##0", 1234567, "1,234,567"),
    ('"No. "0', 7, "No. 7"),
]


def test_a_format_in_a_cell_says_what_it_says_in_the_formula(call: Call) -> None:
    rows = [[code, number, f"=TEXT(B{row},A{row})"] for row, (code, number, _) in enumerate(IN_CELLS, start=1)]
    answer = call("write_cells", path="a.xlsx", rows=rows).structured_content
    assert [entry["value"] for entry in answer["computed"]] == [expected_text for _, _, expected_text in IN_CELLS]
    literal = [[f'=TEXT(B{row},"{code.replace(chr(34), chr(34) * 2)}")'] for row, (code, *_) in enumerate(IN_CELLS, 1)]
    answer = call("write_cells", path="a.xlsx", start_cell="D1", rows=literal).structured_content
    assert [entry["value"] for entry in answer["computed"]] == [expected_text for _, _, expected_text in IN_CELLS]


def test_a_format_that_is_computed_follows_its_cells(call: Call) -> None:
    rows = [[-1, "0.0", '=TEXT(A1,IF(A1<0,B1,"0.000"))', "=TEXT(A1,B1&0)", "=TEXT(A1,Z1)"]]
    call("write_cells", path="a.xlsx", rows=rows)
    read = call("read_cells", path="a.xlsx", range="C1:E1").structured_content["rows"]
    assert read[0][:2] == ["-1.0", "-1.00"]
    call("write_cells", path="a.xlsx", rows=[[2, "0%"]])
    assert call("read_cells", path="a.xlsx", range="C1:D1").structured_content["rows"] == [["2.000", "20%0"]]
