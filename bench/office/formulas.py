"""Values of random formulas by the sheets server beside LibreOffice's: a search for faults that nobody has thought of.

    .venv/bin/python bench/office/formulas.py [--seed S] [--count N] [--kind KIND ...] [--unknown]

Each formula that gets another value from the two is printed with both. A line is a question, not a fault: the programs
differ in places where the server follows Excel. There LARGE of too few is #NUM!, SEARCH("", x) is 1, DOLLAR writes
($1.00), COUNTIF(r, 5) counts texts "5", PERCENTRANK has three digits, and INDEX(r, 0) is the whole range.
"""

import argparse
import asyncio
import datetime
import math
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fastmcp import Client
from openpyxl import load_workbook

from yardkit.servers.sheets.server import mcp
from yardkit.world import World, use_world

ROWS = 24
LAST = ROWS + 1
HEADER = ["Key", "Amount", "Quantity", "Date", "Region", "Done", "Mixed", "Name", "Share", "Sorted"]
EPOCH = datetime.datetime(1899, 12, 30)  # noqa: DTZ001 - serial dates have no zone
Chance = random.Random


def rows_of(rng: Chance) -> list[list[Any]]:
    """What a ledger looks like that people have typed: blanks, spellings, numbers as texts."""
    regions = ["North", "south", "South", "East", "west ", "East-2", "N*", None]
    names = ["Ann Lee", "bob o'neil", "Zoë Ruiz", "J. Smith", "ANNA", "Lee"]
    rows: list[list[Any]] = []
    for row in range(ROWS):
        day = datetime.date(2023, 1, 1) + datetime.timedelta(days=rng.randrange(1200))
        rows.append(
            [
                f"K-{rng.randrange(12):03d}",  # A key
                rng.choice(
                    [round(rng.uniform(-500, 5000), 2), rng.randrange(-20, 300), None if row % 7 == 3 else 12.5]
                ),  # B
                rng.randrange(0, 12),  # C quantity
                day.isoformat(),  # D date
                rng.choice(regions),  # E
                rng.random() < 0.5,  # F
                rng.choice(
                    [5, "5", 7.25, "abc", None, "12", 0, -3]
                ),  # G mixed; truth values are numbers for LibreOffice
                rng.choice(names),  # H
                round(rng.uniform(0, 1), 4),  # I share
                10 * (row + 1),  # J sorted
            ]
        )
    return rows


class Formulas:
    """Random formulas of GRAMMAR, of which one line is one form.

    [number] is any form of that name, [cell BC] a cell of these columns, [column BC] one of them or a part of it,
    [whole BC] all of it, [int 1 9] a number, and [a|b] one of these.
    """

    def __init__(self, rng: Chance) -> None:
        self.rng = rng

    def build_formula(self, kind: str, depth: int) -> str:
        """A formula whose parts are at most `depth` forms below each other."""
        forms = GRAMMAR[kind] if depth > 0 or kind not in SIMPLE else SIMPLE[kind]
        text = self.rng.choice(forms)
        while match := PART.search(text):
            text = text[: match.start()] + self.part(match[1], depth) + text[match.end() :]
        return text

    def part(self, type_name: str, depth: int) -> str:
        if type_name in GRAMMAR:
            return self.build_formula(type_name, depth - 1 if type_name in SIMPLE else depth)
        word, _, rest = type_name.partition(" ")
        if word == "int":
            low, high = map(int, rest.split())
            return str(self.rng.randint(low, high))
        if word == "cell":
            return f"{self.rng.choice(rest)}{self.rng.randint(2, LAST)}"
        if word in ("column", "whole"):
            return self.column(self.rng.choice(rest), in_part=word == "column" and self.rng.random() < 0.3)
        return self.rng.choice(type_name.split("|"))

    def column(self, letter: str, *, in_part: bool) -> str:
        if not in_part:
            return f"${letter}$2:${letter}${LAST}"
        top = self.rng.randint(2, LAST - 4)
        return f"{letter}{top}:{letter}{self.rng.randint(top, LAST)}"


PART = re.compile(r"\[([^\[\]]*)\]")
SIMPLE = {
    "number": ["[cell BCIJ]", "[cell BCG]", "[0|1|-1|2|0.5|3.14159|100|1E3|12%|-7.5|10]"],
    "text": ["[cell AEH]", "[cell EGH]", "[quoted]"],
    "date": ["[cell D]"],
    "truth": ["[cell F]", "[TRUE|FALSE]", "[cell B]>[cell C]", '[cell E]="South"'],
}
FORMS = {
    "number": f"""
        ([number][+|-|*|/|^][number])
        -[number]
        [number]%
        ([date]-[date])
        [ROUND|ROUNDUP|ROUNDDOWN|TRUNC]([number],[0|1|2|-1|-2])
        [INT|ABS|SIGN|EVEN|ODD|EXP|N|TRUNC|SQRT|LN|LOG10]([number])
        [MROUND|CEILING|FLOOR|MOD|QUOTIENT|POWER|LOG]([number],[number])
        [CEILING.MATH|FLOOR.MATH]([number],[2|0.5|-3|10])
        [GCD|LCM|COMBIN|PERMUT]([cell CJ],[cell C])
        [SUM|AVERAGE|MIN|MAX|COUNT|COUNTA|PRODUCT|SUMSQ|MEDIAN]([many])
        [SUM|AVERAGE|MIN|MAX|COUNT|COUNTA|PRODUCT|SUMSQ|MEDIAN]([many])
        [STDEV|STDEVP|VAR|VAR.P|STDEV.S|MODE|GEOMEAN|HARMEAN|AVEDEV|DEVSQ|SKEW|KURT]([column BCIJ])
        [AVERAGEA|MAXA|MINA|COUNTBLANK|STDEVA|VARA]([column BG])
        [LARGE|SMALL]([column BCIJ],[1|2|3|40|[cell C]])
        [PERCENTILE|PERCENTILE.EXC]([column BCIJ],[0|0.25|0.5|0.9|1|[cell I]])
        [QUARTILE|QUARTILE.EXC|QUARTILE.INC]([column BCIJ],[0|1|2|3])
        [RANK|RANK.EQ|RANK.AVG]([cell C],[whole C],[0|1])
        [CORREL|SLOPE|INTERCEPT|RSQ|COVAR|STEYX|PEARSON|SUMX2MY2|SUMXMY2]([whole C],[whole J])
        FORECAST([number],[whole C],[whole J])
        SUBTOTAL([1|2|3|4|5|6|7|9|101|103|109],[column BCG])
        AGGREGATE([1|4|5|9|12],6,[column BCIJ])
        AGGREGATE([14|15],6,[column BCIJ],1)
        IF([truth],[number],[number])
        IFERROR([number],[number])
        IFS([truth],[number],[truth],[number],TRUE,[number])
        SWITCH([cell C],3,[number],[number])
        CHOOSE([1|2|3|[cell C]],[number],[number],[number])
        LEN([text|number])
        [growing]
        [growing]
        [FIND|SEARCH]([quoted],[text])
        VALUE([cell G])
        CODE([text])
        [YEAR|MONTH|DAY|WEEKDAY|WEEKNUM|ISOWEEKNUM|HOUR|MINUTE]([date])
        [YEAR|MONTH|DAY|WEEKDAY|WEEKNUM|ISOWEEKNUM|HOUR|MINUTE]([date])
        WEEKDAY([date],[1|2|3])
        DATEDIF([cell D],DATE(2027,[int 1 12],[int 1 31]),"[d|m|y|ym|yd|md]")
        [DAYS|NETWORKDAYS|DAYS360]([date],[date])
        YEARFRAC([cell D],[cell D],[0|1|2|3|4])
        [conditional]
        [conditional]
        [conditional]
        [looked]
        [looked]
        [looked]
        SUMPRODUCT([condition]*[whole C])
        SUMPRODUCT(--[condition],[whole J])
        SUMPRODUCT([condition]*[condition]*[whole I])
        SUMPRODUCT([whole C][/|*|-|+][whole J])
        SUMPRODUCT(1/COUNTIF([whole A],$A$2:$A${LAST}))
        SUMPRODUCT(LEN([whole H]))
        [financial]
        [financial]
        [ROWS|COLUMNS]([column BCD])
        [BIN2DEC|HEX2DEC|OCT2DEC]([1|10|11|101])
        [BITAND|BITOR|BITXOR]([cell C],[cell C])""",
    "growing": """
        [EXP|FACT|SINH|COSH]([number]*[1|10|100])
        [cell BCJ]^[cell BCJ]
        POWER([number],[number]*[1|40|-40])
        [1|0|-1]/[EXP|FACT|COSH]([cell BCJ])
        IFERROR([growing],[number])
        IF(ISERROR([growing]),[1|2],[3|[growing]])
        [MAX|MIN|SUM]([growing],[number])
        ([growing][+|-|*|/|^][growing])
        IF([growing][sign][growing],1,2)
        PRODUCT([column BCJ])
        1/PRODUCT([column BCJ])
        1E[100|155|-160|200]*([number]*1E[100|-100|155|60])
        IFERROR(1/([number]*1E[100|155]*[number]*1E154),[number])
        LN([growing])
        [COMBIN|PERMUT]([cell J]*[1|10],[cell J])""",
    "spelled": """
        [number]
        ([number]/[3|7|9|11])
        ([number]*[1.1|0.7|1E-3])
        SQRT([cell CJ])
        ([text]&[number])""",
    "many": """
        [column BCIJ]
        [column G]
        [column BCIJ],[column G]
        [column BCIJ],[number]
        [number],[number]""",
    "conditional": """
        COUNTIF([column ABCDEGH],[criterion])
        [SUMIF|AVERAGEIF]([whole ABCDEGH],[criterion],[whole BCJ])
        COUNTIFS([whole ABCDEGH],[criterion],[whole ABCDEGH],[criterion])
        [SUMIFS|AVERAGEIFS|MAXIFS|MINIFS]([whole BCJ],[whole ABCDEGH],[criterion])
        [SUMIFS|AVERAGEIFS|MAXIFS|MINIFS]([whole BCJ],[whole ABCDEGH],[criterion],[whole ABCDEGH],[criterion])""",
    "criterion": """
        "[>100|<>0|>=0|<0|=5|12.5|>=K-005|TRUE|]"
        "[South|south|<>South|*t*|E?st|West*|N~*|K-00?|*|?*|<>*a*|<>]"
        [5|"5"|12.5|TRUE]
        "[>|<=|<>|]"&[cell BCIJ]
        "[>=|<|]"&[cell D]
        "[<>|]"&[cell EC]
        [cell ECG]""",
    "looked": f"""
        VLOOKUP([key],$A$2:$J${LAST},[2|3|4|9|11],[FALSE|0])
        VLOOKUP([sought],$J$2:$J${LAST},1[|,TRUE|,1])
        MATCH([key],[whole A],0)
        MATCH([sought],[whole J][|,0|,1])
        INDEX($B$2:$C${LAST},MATCH([key],[whole A],0),[1|2])
        INDEX([whole J],[int 1 24])
        LOOKUP([sought],[whole J][|,$I$2:$I${LAST}])
        SUM(INDEX($B$2:$C${LAST},0,[1|2]))
        SUM(OFFSET($C$2,[cell C],0,[1|3],1))
        HLOOKUP([quoted],$A$1:$J${LAST},3,FALSE)
        SUM(INDIRECT("C2:C"&[int 3 24]))
        IFERROR(VLOOKUP([key],$A$2:$C${LAST},3,FALSE),[0|-1])
        IFNA(MATCH([key],[whole A],0),[0|-1])""",
    "key": """
        [cell A]
        ["K-00?"|"k-003"|"none"]""",
    "sought": """
        [cell JCB]
        [55|0|1000]""",
    "condition": """
        ([whole E]="South")
        ([whole C]>[int 0 9])
        (LEFT([whole A],5)="K-00[int 0 9]")
        (MONTH([whole D])=[int 1 12])
        (ISNUMBER(SEARCH("an",[whole H])))
        ([whole F]=TRUE)
        ([whole D]>=DATE(2024,[int 1 12],1))""",
    "financial": """
        PMT([rate],[12|36|5],[10000|-2500][|,100,1])
        [PV|FV]([rate],[12|36|5],[10000|-2500][|,-50])
        NPER([rate],-300,5000)
        RATE([12|36|5],-900,4000)
        [IPMT|PPMT]([rate],[2|3],[12|36|5],10000)
        NPV([rate],[column CJ])
        SLN(10000,500,[12|36|5])
        [DB|DDB|SYD](10000,500,[12|36|5],2)
        [CUMIPMT|CUMPRINC](0.01,[12|36|5],5000,1,3,0)
        [EFFECT|NOMINAL](0.1,[12|36|5])
        IRR({-1000,300,420,[int 200 900]})
        MIRR({-1000,300,420,680},0.1,[0.12|0.05])""",
    "rate": "[0.05/12|0.1|0|0.03]",
    "text": f"""
        ([text]&[text])
        ([text]&[number])
        [UPPER|LOWER|PROPER|TRIM|T|CLEAN]([text])
        [LEFT|RIGHT]([text],[0|1|2|5|[cell C]])
        [LEFT|RIGHT]([spelled],[1|2|5|12])
        MID([spelled],[1|3],[2|9|30])
        SUBSTITUTE([spelled],".",",")
        ([spelled]&[quoted|spelled])
        [UPPER|TRIM]([spelled])
        REPLACE([spelled],2,1,"x")
        TEXT([growing],"[0%|0.00E+00|0]")
        MID([text],[1|2|4],[0|1|3|40])
        SUBSTITUTE([text],[quoted],[quoted][|,1|,2])
        REPLACE([text],[1|3],[0|2],[quoted])
        REPT([text],[0|1|3])
        CONCATENATE([text],[quoted],[number])
        CONCAT([column EH])
        TEXTJOIN([quoted],[TRUE|FALSE],[column EGH])
        IF([truth],[text],[text])
        IFERROR([text],[text])
        CHAR([int 32 126])
        TEXT([number],"[0|0.00|#,##0|#,##0.00|0%|0.0%|000|$#,##0.00]")
        TEXT([date],"[yyyy-mm-dd|d mmm yyyy|mmmm|ddd|dd/mm/yy|mmm-yy|yyyy]")
        FIXED([number],[0|1|2])
        ROMAN([cell C])
        [DEC2BIN|DEC2HEX|DEC2OCT]([cell C])
        BASE([cell J],[2|16|36])
        ADDRESS([int 1 20],[int 1 40],[1|2|3|4])
        INDEX([whole H],[int 1 24])
        VLOOKUP([cell A],$A$2:$H${LAST},[5|8],FALSE)
        LOOKUP([cell J],[whole J],[whole H])""",
    "quoted": '"[a|e| |-|South|x|A|Lee|0|.]"',
    "date": """
        DATE([int 2019 2030],[int -2 15],[int -3 40])
        [EDATE|EOMONTH]([date],[int -14 30])
        WORKDAY([cell D],[int -14 30])
        ([cell D]+[cell C])
        [MAX|MIN]([column D])
        DATE(YEAR([cell D]),MONTH([cell D])+[int -14 30],1)
        ([cell D]+TIME([int 0 23],[int 0 59],0))
        DATEVALUE("202[int 0 7]-0[int 1 9]-1[int 0 9]")""",
    "truth": """
        ([number][sign][number])
        ([text][=|<>][text])
        ([date][sign][date])
        [AND|OR|XOR]([truth],[truth])
        NOT([truth])
        [ISNUMBER|ISTEXT|ISBLANK|ISNONTEXT|ISERROR|ISNA|ISERR]([[cell BEG]|[number]|[text]])
        [ISEVEN|ISODD]([cell CJ])
        EXACT([text],[text])
        EXACT([spelled],[number])
        ([spelled]&""=[text])
        ISNUMBER(SEARCH([quoted],[text]))
        ([cell G][sign][5|"5"|""|0])""",
    "sign": "[=|<>|<|>|<=|>=]",
}
GRAMMAR = {
    kind: [*(line.strip() for line in forms.strip().splitlines()), *SIMPLE.get(kind, [])]
    for kind, forms in FORMS.items()
}


def draw_formulas(seed: int, count: int, kinds: list[str]) -> Iterator[str]:
    """`count` formulas, each of another text."""
    formulas, seen = Formulas(random.Random(f"formulas {seed}")), set[str]()
    while len(seen) < count:
        text = "=" + formulas.build_formula(formulas.rng.choice(kinds), formulas.rng.choice([1, 1, 2, 2, 3]))
        if text not in seen:
            seen.add(text)
            yield text


async def by_server(folder: World, rows: list[list[Any]], formulas: list[str]) -> Path:
    """The workbook as the server writes it, its values in it."""
    async with Client(mcp) as client:
        await client.call_tool("write_cells", {"path": "drawn.xlsx", "rows": [HEADER, *rows]})
        cells = [[text] for text in formulas]
        await client.call_tool("write_cells", {"path": "drawn.xlsx", "start_cell": "L2", "rows": cells})
    return folder.files / "drawn.xlsx"


def by_office(written: Path, folder: Path) -> Path:
    """The same formulas, their values worked out by LibreOffice."""
    bare = folder / "bare.xlsx"
    load_workbook(written).save(bare)  # without values
    command = [
        "soffice",
        f"-env:UserInstallation=file://{folder}/office",
        "--headless",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
    ]
    subprocess.run([*command, "--outdir", str(folder / "out"), str(bare)], check=True, capture_output=True, timeout=300)
    return folder / "out" / "bare.xlsx"


def read_values(path: Path) -> list[Any]:
    sheet = load_workbook(path, data_only=True).worksheets[0]
    return [to_serial(row[0]) for row in sheet.iter_rows(min_row=2, min_col=12, max_col=12, values_only=True)]


def to_serial(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return (value - EPOCH) / datetime.timedelta(days=1)
    return value


def match_values(first: Any, other: Any) -> bool:
    """The same but for the last digits, and for truth values as numbers."""
    if isinstance(first, bool | int | float) and isinstance(other, bool | int | float):
        return math.isclose(first, other, rel_tol=1e-9, abs_tol=1e-9)
    return first == other or (first in (None, "") and other in (None, ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kind", nargs="*", choices=list(SIMPLE), default=list(SIMPLE))
    parser.add_argument("--unknown", action="store_true", help="those of which the server knows no value, too")
    options = parser.parse_args()
    rows = rows_of(random.Random(f"rows {options.seed}"))
    formulas = list(draw_formulas(options.seed, options.count, options.kind))
    with tempfile.TemporaryDirectory() as place:
        world = World.create(Path(place) / "world", task="formulas", seed=options.seed)
        with use_world(world):
            written = asyncio.run(by_server(world, rows, formulas))
        ours, theirs = read_values(written), read_values(by_office(written, Path(place)))
    report_differences(formulas, ours, theirs, unknown=options.unknown)


def report_differences(formulas: list[str], ours: list[Any], theirs: list[Any], *, unknown: bool) -> None:
    known = differing = 0
    for row, (formula, own_value, other) in enumerate(zip(formulas, ours, theirs, strict=True), start=2):
        known += own_value is not None
        if own_value is None and not unknown:
            continue
        if not match_values(own_value, other):
            differing += 1
            print(f"L{row}  {formula}\n      server {own_value!r}  LibreOffice {other!r}")
    print(f"{len(formulas)} formulas, {known} with a value, {differing} listed")


if __name__ == "__main__":
    main()
