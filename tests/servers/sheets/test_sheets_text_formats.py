"""TEXT shows numbers, dates and times as Excel does, for formats that stand in the formula.

Dates and times are checked against Python's own; what stands in the table was worked out from Excel's rules: the sign
of the value chooses the part of the format, halves go away from zero, minutes beside seconds are minutes.
"""

from datetime import datetime, timedelta
from random import Random

import openpyxl
import pytest

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
def values(call):
    def of(rows):
        answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=rows)
        assert not answer.is_error, answer.content[0].text
        assert not answer.structured_content.get("unknown")
        last = f"{'CDEFGHIJKLMN'[len(rows[0]) - 1]}{len(rows)}"
        read = call("read_cells", path="a.xlsx", range=f"C1:{last}", limit=len(rows))
        return read.structured_content["rows"]

    return of


def literal(code):
    return '"' + code.replace('"', '""') + '"'


def test_numbers_are_shown_in_the_part_and_with_the_sign_that_excel_gives(call, values):
    call("write_cells", path="a.xlsx", rows=[["x"]])
    found = values([[f"=TEXT({value},{literal(code)})"] for value, code in NUMBERS])
    shown = {case: row[0] or "" for case, row in zip(NUMBERS, found, strict=True)}
    assert {case: text for case, text in shown.items() if text != NUMBERS[case]} == {}


def test_every_time_of_a_day_is_shown_and_taken_apart_as_it_is(files, values):
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


def test_texts_of_arrays_have_their_signs_and_times(call, values):
    call("write_cells", path="a.xlsx", rows=[[-1, 0.604166666666667], [2, 0.25]])
    rows = values([['=TEXTJOIN(",",TRUE,TEXT(A1:A2,"0"))', '=TEXTJOIN(",",TRUE,TEXT(B1:B2,"hh:mm"))']])
    assert rows == [["-1,2", "14:30,06:00"]]


@pytest.mark.parametrize("code", ["[<1]0.00;0", "0.00E+00", "# ?/?", "hh:mm:ss.0", "£0.00", "#,##0.00 [$€-1]", "* 0"])
def test_formats_that_the_engine_does_not_know_are_left_to_others_or_unknown(call, code):
    call("write_cells", path="a.xlsx", rows=[[0.5]])
    answer = call("write_cells", path="a.xlsx", start_cell="C1", rows=[[f'=TEXT(A1,"{code}")']])
    shown = call("read_cells", path="a.xlsx", range="C1").structured_content["rows"][0][0]
    right = {"[<1]0.00;0": "0.50", "0.00E+00": "5.00E-01", "# ?/?": " 1/2", "hh:mm:ss.0": "12:00:00.0"}
    right |= {"£0.00": "£0.50", "#,##0.00 [$€-1]": "0.50 €", "* 0": "1"}
    reasons = [cell["reason"] for cell in answer.structured_content.get("unknown", [])]
    assert shown == right[code] or "format" in reasons[0]


def test_days_before_march_1900_are_where_excel_has_them(call, values):
    call("write_cells", path="a.xlsx", start_cell="A5", rows=[[1, 59, 61, None]])
    rows = values(
        [
            [
                "=DATE(1900,1,1)+0",
                "=DATE(1900,2,28)+0",
                "=DATE(1900,3,1)+0",
                "=DAY(A5)",
                "=MONTH(B5)*100+DAY(B5)",
                "=MONTH(C5)*100+DAY(C5)",
            ]
        ]
    )
    assert rows == [["1900-01-01", "1900-02-28", "1900-03-01", 1, 228, 301]]
    assert values([["=DATE(YEAR(D5),MONTH(D5),1)+0"]]) == [["1900-01-01"]]


def test_a_format_that_is_computed_is_left_to_others_or_unknown(call):
    call("write_cells", path="a.xlsx", rows=[[-1, "0", 0.604166666666667, "hh:mm"]])
    rows = [["=TEXT(A1,B1)", '=TEXT(C1,IF(A1<0,D1,"0"))']]
    answer = call("write_cells", path="a.xlsx", start_cell="F1", rows=rows).structured_content
    shown = [cell["value"] for cell in answer["computed"]]
    assert shown == ["-1", "14:30"] or all("format" in cell["reason"] for cell in answer["unknown"])
