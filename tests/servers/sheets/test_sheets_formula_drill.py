"""Formulas over files made here: both engines by themselves agree where one is trusted, and each value is as Excel's.

The functions that the engine is trusted with are each tried with several arguments; where the two differ, the list
below says why the engine is right. Slow, so with everything alone.
"""

import datetime
import math
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.datetime import to_excel
from support.answers import Call

from yardkit.kit.pages.libreoffice import calculate_cells

ROWS = [
    [3, "pear", 1, 46000, -100, 1, 0.1],
    [1, "Apple", None, 46031, 30, 2, 0.2],
    [2, "fig", 5, 46100, 40, "=1/0", 0.3],
    [-4.5, "pear", "7", 46200, 50, 4, 0.4],
    [2.5, "a b", "x", 45999, 20, 5, None],
    [10, "Fig tree", 0, 44928, 5, 6, None],
]
NUMBERS = ["3", "0", "-2.5", "0.5", "A4", "C2", "C4", "F3", '"2"', '"x"']
LISTS = ["A1:A6", "A1:A3", "C1:C6", "A1:A3,5", "A1", "F1:F6", "A1:A3,C1:C6", "1,2,3.5"]
CRITERIA = ['">1"', '"pear"', '"p*"', '"?ig"', '">=2"', "3", "A2", '"<=2.5"', '"<>3"', '"apple"', '"7"', '">"&A2']
PAIRS = {
    "ABS INT SIGN EVEN ODD SQRT EXP LN LOG10 SIN COS TAN ASIN ACOS ATAN SINH COSH TANH DEGREES RADIANS": NUMBERS,
    "ISBLANK ISNUMBER ISTEXT ISERROR ISERR ISNA ISLOGICAL ISNONTEXT N T": [*NUMBERS, "A1", "B1", "G6", "NA()"],
    "SUM AVERAGE MIN MAX COUNT COUNTA MEDIAN STDEV STDEVP VAR VARP SUMSQ DEVSQ AVEDEV PRODUCT HARMEAN": LISTS,
    "ROUND ROUNDUP ROUNDDOWN TRUNC": ["2.5,0", "-2.5,0", "2.675,2", "1234.567,-2", "1.005,2", "1.15,1", "C2,1"],
    "MOD QUOTIENT POWER ATAN2": ["5,3", "-5,3", "5,-3", "5.5,2"],
    "CEILING FLOOR MROUND": ["2.5,1", "1.1,0.1", "7,3", "6.05,0.1"],
    "GCD LCM": ["12,18", "A1,A2", "12.5,18"],
    "LARGE SMALL": ["A1:A6,1", "A1:A6,3", "A1:A6,7", "C1:C6,1"],
    "RANK": ["2,A1:A6", "2,A1:A6,1", "99,A1:A6"],
    "PERCENTILE QUARTILE": ["A1:A6,0", "A1:A6,1", "C1:C6,1"],
    "CORREL SLOPE INTERCEPT RSQ": ["A1:A6,D1:D6", "A1:A4,G1:G4"],
    "IF": ["TRUE,1,2", "FALSE,1", 'A1>2,"y","n"', "F3,1,2", 'G6="",1,2', "G6=0,1,2"],
    "IFERROR IFNA": ["F3,5", "A1,5", "NA(),5", "G6,5", '1/0,""'],
    "IFS": ["A1>9,1,TRUE,2", "FALSE,1"],
    "SWITCH": ['2,1,"a",2,"b"', '9,1,"a"', '"PEAR",B1,1,2'],
    "CHOOSE": ['2,"a","b"', "3,1,2"],
    "AND OR": ["TRUE,FALSE", "A1>2,A2>2", "A1:A3", "TRUE,F3", "FALSE,F3"],
    "LEN LOWER UPPER TRIM PROPER": ["B1", '"  a  b c "', "A4", "G6", "123.450", "D6"],
    "LEFT RIGHT": ["B1,2", "B1", "B1,99", "B1,0", "A4,2", "G6,1"],
    "MID": ["B1,2,2", "B1,9,2", "A4,1,2", "B1,0,1"],
    "FIND SEARCH": ['"a",B1', '"z",B1', '"A",B1', '"a",B1,4'],
    "SUBSTITUTE": ['B1,"e","o"', '"aaa","a","b",2', 'B1,"z","y"'],
    "REPT": ['"abcd",2', "B1,0"],
    "EXACT CONCATENATE": ["B1,B4", '"a","A"', '1,"1"', "1/3,2"],
    "TEXTJOIN": ['",",TRUE,B1:B6', '"-",TRUE,A1:A3,"x"'],
    "TEXT": [
        f'{value},"{code}"' for value in ("1234.567", "-0.5", "46000.75", "C2") for code in ("0.00", "#,##0", "0%")
    ],
    "DATE": ["2026,3,1", "2026,13,1", "2026,0,0", "2026,2,30"],
    "YEAR MONTH DAY WEEKDAY WEEKNUM HOUR MINUTE": ["D1", "46000.999", "44927.604166666664"],
    "EDATE EOMONTH": ["D1,1", "D1,-1", "46052,1"],
    "DATEDIF": ['45000,46000,"d"', '45000,46000,"m"', '45000,46000,"y"', '45000,46000,"ym"'],
    "YEARFRAC NETWORKDAYS": ["D1,D4", "D4,D1"],
    "WORKDAY": ["D1,5", "D1,-5", "D1,5,D2:D3"],
    "COUNTIF": [f"{area},{criterion}" for area in ("A1:A6", "B1:B6", "C1:C6") for criterion in CRITERIA],
    "SUMIF AVERAGEIF": [f"B1:B6,{criterion},A1:A6" for criterion in CRITERIA],
    "SUMIFS AVERAGEIFS MAXIFS MINIFS": [f"A1:A6,A1:A6,{criterion}" for criterion in CRITERIA],
    "SUMPRODUCT": ["A1:A4,G1:G4", "(A1:A6>1)*A1:A6", '(B1:B6="pear")*A1:A6', "(MONTH(D1:D6)=1)*A1:A6"],
    "VLOOKUP": ['"fig",B1:D6,2,FALSE', '"zzz",B1:D6,2,FALSE', '"FIG",B1:D6,2,FALSE', "46050,D1:E4,2,TRUE"],
    "MATCH": ['"fig",B1:B6,0', "2,A1:A6,0", "46050,D1:D4,1", '"p*",B1:B6,0'],
    "INDEX": ["A1:B6,2,2", "A1:A6,3", "A1:B6,7,1", "A1:E1,3"],
    "OFFSET": ["A1,1,1", "B2,-1,-1"],
    "SUBTOTAL": ["9,A1:A6", "1,A1:A6", "2,C1:C6", "3,B1:B6"],
    "PMT PV FV NPER": ["0.01,12,-1000", "0.01,12,-1000,100,1"],
    "IPMT PPMT": ["0.01,1,12,1000"],
    "NPV": ["0.1,E1:E6"],
    "IRR": ["E1:E6"],
    "XIRR": ["E1:E4,D1:D4"],
    "SLN": ["1000,100,5"],
}
FORMULAS = [f"={name}({given})" for names, several in PAIRS.items() for name in names.split() for given in several]
OPERATIONS = ["=A1+A2*2", "=-A1^2", "=A1&B1", '=B1="PEAR"', "=A4%", "=A1+C4", "=A1+B1", "=(A1+A2)*(A1-A2)", "=2^3^2"]
RIGHT: set[str] = set()
"""Where LibreOffice differs from Excel."""


@pytest.fixture
def sheet(files: Path, call: Call) -> Any:
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    book.save(files / "a.xlsx")
    formulas = [*FORMULAS, *OPERATIONS]
    answer = call("write_cells", path="a.xlsx", start_cell="K1", rows=[[formula] for formula in formulas])
    assert not answer.is_error
    rows = call("read_cells", path="a.xlsx", range=f"K1:K{len(formulas)}", limit=5000).structured_content["rows"]
    stored = [cell.value for cell in openpyxl.load_workbook(files / "a.xlsx", data_only=True).active["K"]]
    return formulas, stored, len(rows)


@pytest.mark.drill
def test_each_formula_has_the_value_that_libreoffice_gives_it(files: Path, sheet: Any) -> None:
    formulas, stored, count = sheet
    assert count
    places = [("Sheet", f"K{row}") for row in range(1, len(formulas) + 1)]
    answers = calculate_cells(files / "a.xlsx", places)
    differing = {
        formula: (value, answer.error or answer.value)
        for formula, value, answer in zip(formulas, stored, answers, strict=True)
        if formula not in RIGHT and not _is_same(value, answer.error or answer.value)
    }
    assert differing == {}


def _is_same(value: Any, other: Any) -> Any:
    value = to_excel(value) if isinstance(value, datetime.datetime) else value
    if isinstance(value, int | float) and isinstance(other, int | float):
        return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)
    errors = [isinstance(text, str) and text.startswith(("#", "Err:")) for text in (value, other)]
    return all(errors) or value == other or (value in (None, "") and other in (None, ""))
