"""Names of LET, arrays in LAMBDA and functions of single values over arrays give what Excel gives."""

from typing import Any

import pytest
from support.answers import Call

from yardkit.servers.sheets.engine.formula_forms.expanded_formulas import UNCLEAR, expand_formula

ROWS = [
    ["n", "v", "w"],
    ["a", 1.26, 3],
    ["b", 5, 2],
    ["a", 7.55, None],
    ["c", 2, 4],
    ["b", 1, "x"],
]
EXPECTED_ROWS = [["k"], ["c"], ["a"], ["zz"]]
KNOWN: dict[str, Any] = {
    "=LET(u,UNIQUE(A2:A6),SUM(COUNTIF(A2:A6,u)))": [[5]],
    "=LET(u,B2:B6,SUM(MOD(INT(u),2)))": [[4]],
    "=LET(u,B2:B6,SUM(ROUND(u/3,1)))": [[5.6]],
    "=LET(k,UNIQUE(A2:A6),s,SUMIF(A2:A6,k,B2:B6),SORTBY(HSTACK(k,s),s,-1))": [["a", 8.81], ["b", 6], ["c", 2]],
    "=LET(f,LAMBDA(x,x*2),f(4)+f(B3))": [[18]],
    "=LET(x,B3,y,x+1,LET(x,y*2,x+y))": [[18]],
    "=SUMIF(A2:A6,F2#,B2:B6)": [[8.81], [6], [2]],
    '=COUNTIFS(A2:A6,F2#,B2:B6,">1.1")': [[2], [1], [1]],
    "=INDEX(SORTBY(UNIQUE(A2:A6),SUMIF(A2:A6,UNIQUE(A2:A6),B2:B6),1),1)": [["c"]],
    "=XLOOKUP(F2#,A2:A6,B2:B6)": [[1.26], [5], [2]],
    '=IFERROR(VLOOKUP(E2:E4,A2:C6,2,FALSE),"none")': [[2], [1.26], ["none"]],
    "=VLOOKUP(E2:E4,A4:C6,3,FALSE)": [[4], [0], ["#N/A"]],
    "=ROUND(B2:B6*1.19,1)": [[1.5], [6], [9], [2.4], [1.2]],
    '=IFS(B2:B6>4,"hi",B2:B6>1.5,"mid",TRUE,"lo")': [["lo"], ["hi"], ["hi"], ["mid"], ["lo"]],
    "=MOD(B2:B6,C2:C6)": [[1.26], [1], ["#DIV/0!"], [2], ["#VALUE!"]],
    "=BYROW(B2:C4,LAMBDA(r,SUM(ROUND(r,0))))": [[4], [7], [8]],
    "=REDUCE(0,B2:B6,LAMBDA(a,v,a+ROUND(v,0)))": [[17]],
    "=FILTER(A2:A6,ISNUMBER(MATCH(A2:A6,E2:E3,0)))": [["a"], ["a"], ["c"]],
    "=ROUND(SUM(B2:B6*B2:B6),1)": [[88.6]],
    '=XLOOKUP(1,(A2:A6="b")*(B2:B6<2),C2:C6)': [["x"]],
    '=XLOOKUP(1,(A2:A6="b")*(B2:B6=5),B2:C6)': [[5, 2]],
    "=XLOOKUP(2,{1,2,2},{3,4,5},,0,-1)": [[5]],
    '=XLOOKUP(9,{1;2},{3;4},"no")': [["no"]],
    '=XLOOKUP("v",A1:C1,A2:C6)': [[1.26], [5], [7.55], [2], [1]],
    '=XLOOKUP("c",UNIQUE(A2:A6),SEQUENCE(3))': [[3]],
    "=INDEX(A2:A6,SEQUENCE(2))": [["a"], ["b"]],
    "=LARGE(B2:B6,{1,2})": [[7.55, 5]],
    "=FREQUENCY(B2:B6,{2,5})": [[3], [1], [1]],
    "=SCAN(0,B3:B5,LAMBDA(a,v,a+v))": [[5], [12.55], [14.55]],
    "=WRAPROWS(SEQUENCE(4),2)": [[1, 2], [3, 4]],
    '=TEXTSPLIT("a,b;c,d",",",";")': [["a", "b"], ["c", "d"]],
    "=MMULT({1,2;3,4},{5;6})": [[17], [39]],
}
UNKNOWN = {
    "=LET(a,B2:B6,BYROW(a,LAMBDA(a,ROUND(a,0))))": UNCLEAR,
    "=SUMIFS(B2:B6,A2:A6,F2#,C2:C6,{2,3})": "SUMIFS",
    "=XLOOKUP(E2:E4,A2:A6,B2:C6)": "XLOOKUP",
}
ROWWISE = [
    "ROUND({},1)", "MOD({},3)", "TRUNC({})", "ISNUMBER({})", "ISTEXT({})", "ISBLANK({})", "ISERROR(1/{})", "NOT({}>1)",
    'COUNTIF(B2:B6,">"&{})', "IFNA({},9)", "SWITCH({},2,20,1,10,0)", 'IFS({}>4,"x",TRUE,{})', "CONCATENATE({},1)",
    "CEILING({},2)", "EDATE({}+45000,1)", "WEEKNUM({}+45000)", "MATCH({},B2:B6,0)", "VALUE({})", "CODE({}&1)",
    "XLOOKUP({},B2:B6,C2:C6,0)",
]  # fmt: skip


@pytest.fixture
def compute(call: Call) -> Any:
    call("write_cells", path="a.xlsx", rows=ROWS)
    call("write_cells", path="a.xlsx", start_cell="E1", rows=EXPECTED_ROWS)
    call("write_cells", path="a.xlsx", start_cell="F2", rows=[["=UNIQUE(A2:A6)"]])

    def run(formula: Any, area: str = "H1:I5") -> Any:
        answer = call("write_cells", path="a.xlsx", start_cell="H1", rows=[[formula]])
        assert not answer.is_error, answer.content[0].text
        rows = call("read_cells", path="a.xlsx", range=area).structured_content["rows"]
        unknown = answer.structured_content.get("unknown", [])
        call("write_cells", path="a.xlsx", start_cell="H1", rows=[[None]])
        return [row for row in rows if any(cell is not None for cell in row)], [cell["reason"] for cell in unknown]

    return run


@pytest.mark.parametrize("formula", KNOWN)
def test_names_and_arrays_are_computed(compute: Any, formula: Any) -> None:
    rows, reasons = compute(formula)
    assert reasons == []
    right = [row + [None] * (2 - len(row)) for row in KNOWN[formula]]
    assert len(rows) == len(right)
    for row, expected in zip(rows, right, strict=True):
        assert row == [pytest.approx(value) if isinstance(value, float) else value for value in expected]


@pytest.mark.parametrize("formula", UNKNOWN)
def test_what_is_not_sure_has_no_value_and_a_reason(compute: Any, formula: Any) -> None:
    rows, reasons = compute(formula)
    assert rows == []
    assert UNKNOWN[formula] in reasons[0]


@pytest.mark.parametrize("column", ["B", "C"])
def test_a_function_over_a_column_gives_for_each_row_what_it_gives_for_its_cell(
    compute: Any, call: Call, column: str
) -> None:
    """A law, over numbers, an empty cell and a text."""
    for formula in ROWWISE:
        cells = [f"={formula.replace('{}', f'{column}{row}')}" for row in range(2, 7)]
        call("write_cells", path="a.xlsx", start_cell="K1", rows=[[cell] for cell in cells])
        single_results = call("read_cells", path="a.xlsx", range="K1:K5").structured_content["rows"]
        column_results, reasons = compute(f"={formula.replace('{}', f'{column}2:{column}6')}", "H1:H5")
        assert (formula, column_results, reasons) == (formula, single_results, [])


def test_a_formula_shows_as_it_was_written_and_is_so_in_the_file(call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[[1], [2], ["=LET(u,A1:A2,SUM(ROUND(u,0)))"]])
    formula_rows = call("read_cells", path="a.xlsx", range="A3", show="formulas").structured_content["rows"]
    assert formula_rows == [["=LET(u,A1:A2,SUM(ROUND(u,0)))"]]


@pytest.mark.parametrize(
    ("formula", "expansion"),
    [
        ("=LET(x,1+1,x*2)", "=((1+1)*2)"),
        ("=LET(x,A1,y,x&x,y)", "=((A1&A1))"),
        ("=SUM(LET(x,A1:A2,x))", "=SUM(A1:A2)"),
        ("=LET(x,2,LAMBDA(x,x+1)(x))", "=(LAMBDA(x,x+1)(2))"),
        ("=LET(x,y,LAMBDA(y,x+y))", None),
        ("=LET(f,1,f(2))", None),
        ("=ROUND(A1:A2,1)", "=MAP(A1:A2,LAMBDA(each_1,ROUND(each_1,1)))"),
        ("=MOD(A1:A2,B1:B3)", "=MOD(A1:A2,B1:B3)"),
        ("=SUM(A1:A2)", "=SUM(A1:A2)"),
        ("=ROUND(SUM(A1:A2*2),1)", "=ROUND(SUM(A1:A2*2),1)"),
    ],
)
def test_formulas_are_written_out(formula: str, expansion: str | None) -> None:
    assert expand_formula(formula, {}, arrays=True) == expansion


@pytest.mark.parametrize("twice", ["{0}&{0}", "SUM({0},{0})", "LAMBDA(y,{0}+{0})(1)"])
def test_names_that_grow_beyond_measure_are_unclear(twice: str) -> None:
    names = ",".join(f"x{number},{twice.format(f'x{number - 1}')}" for number in range(1, 40))
    assert expand_formula(f"=LET(x0,A1,{names},x39)", {}, arrays=True) is None
    assert expand_formula(f"={'ROUND(' * 65}A1:A9{',1)' * 65}", {}, arrays=True) is None
