"""Examples of sheets: the workbooks of a small coffee roastery."""

import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tools.example import Example, Gallery

BOOK, LOOKS, RULES, CHARTS, STOCK = "sales.xlsx", "looks.xlsx", "rules.xlsx", "charts.xlsx", "stock.xlsx"
PEOPLE = ("Anna Berg", "Ben Okoro", "Chloé Dubois")
REGIONS = ("North", "South", "West")
GOODS = (("Espresso beans 1 kg", 24.5), ("Filter blend 500 g", 12.9), ("Green tea 100 g", 8.75), ("Cocoa 250 g", 6.4))
ORDERS = [
    [
        1001 + n,
        f"2026-{1 + n // 6:02d}-{3 + 4 * (n % 6):02d}",
        PEOPLE[n % 3],
        REGIONS[(n // 2) % 3],
        GOODS[(n * 3) % 4][0],
        4 + (n * 7) % 23,
        GOODS[(n * 3) % 4][1],
        f"=F{n + 2}*G{n + 2}",
    ]
    for n in range(18)
]
HEADER = ["Order", "Date", "Sold by", "Region", "Item", "Quantity", "Unit price", "Amount"]
MONTHS = [
    ["Month", "Coffee", "Tea", "Cocoa"],
    ["Jan", 12400, 5200, 3100],
    ["Feb", 13150, 4900, 2950],
    ["Mar", 14800, 5600, 2400],
    ["Apr", 15250, 6100, 1900],
    ["May", 16900, 6650, 1500],
    ["Jun", 16100, 7200, 1350],
]
VISITS = [
    ["Price", "Sold", "Margin"],
    [5.9, 420, 1.1],
    [6.4, 395, 1.5],
    [7.2, 350, 2.1],
    [8.75, 260, 3.4],
    [10.5, 190, 4.6],
    [12.9, 140, 6.2],
]
QUOTES = [
    ["Day", "Open", "High", "Low", "Close"],
    *(
        [f"2026-03-{2 + n:02d}", 182 + n, 187.5 + n + n % 3, 179.25 + n - n % 2, 184 + n + (-1) ** n * 1.5]
        for n in range(8)
    ),
]
TASTE = [
    ["Taste", "Espresso", "Filter"],
    ["Body", 9, 5],
    ["Acidity", 4, 8],
    ["Sweetness", 6, 7],
    ["Bitterness", 8, 3],
    ["Aroma", 7, 9],
]
MAIN, POINTS, PRICES, FLAVOUR = "Data!A1:D7", "Data!F1:G7", "Data!J1:N9", "Data!A10:C15"


def prepare_files(files: Path) -> None:
    logo = Image.new("RGB", (360, 180), "#3b2417")
    ImageDraw.Draw(logo).ellipse((120, 30, 240, 150), fill="#c8935a", outline="#ffffff", width=8)
    logo.save(files / "logo.png")
    (files / "stock.csv").write_text(
        "Lager;Artikel;Bestand;Preis;Gezählt am\n"
        "Bremen;Espressobohnen;1.250;24,50;2026-02-27\nBremen;Grüner Tee;310;8,75;2026-02-27\n"
        "Kassel;Kakao;96;6,40;2026-03-01\nKassel;Filterkaffee;2.004;12,90;2026-03-01\n",
        encoding="utf-8",
    )
    staff = [{"Name": name, "Region": region, "Since": f"20{18 + n}-04-01"} for n, (name, region) in enumerate(
        zip(PEOPLE, REGIONS, strict=True)
    )]  # fmt: skip
    (files / "staff.json").write_text(json.dumps(staff))


def make_examples(path: str, tool: str, *calls: dict[str, Any]) -> tuple[Example, ...]:
    """Calls of one tool on one workbook, to be looked at after the last."""
    return tuple(Example(tool, {"path": path} | call, (path,) if call is calls[-1] else ()) for call in calls)


def make_chart_board(sheet: str, kind: str, *charts: dict[str, Any]) -> tuple[Example, ...]:
    """Charts in two columns on a sheet of their own that prints on one page."""
    corners = [f"{column}{row}" for row in (1, 17, 33) for column in ("A1:G15", "I1:O15")]
    places = [f"{text[0]}{row}:{text[3]}{row + 14}" for text, row in zip(corners, (1, 1, 17, 17, 33, 33), strict=True)]
    calls = [{"sheet": sheet, "at": at, kind: MAIN} | chart for at, chart in zip(places, charts, strict=False)]
    return (
        Example("change_sheets", {"path": CHARTS, "action": "add", "name": sheet}),
        Example("set_print", {"path": CHARTS, "sheet": sheet, "fit_wide": 1}),
        *make_examples(CHARTS, "set_chart", *calls),
    )


ORDER_BOOK = (
    Example("write_cells", {"path": BOOK, "sheet": "Orders", "rows": [HEADER, *ORDERS]}, (BOOK,)),
    *make_examples(
        BOOK,
        "format_cells",
        {"range": "A1:H1", "bold": True, "fill_color": "3B2417", "font_color": "FFFFFF", "align": "center"},
        {"range": "G2:H19", "number_format": '#,##0.00 "EUR"'},
        {"range": "B2:B19", "number_format": "dd mmm yyyy"},
    ),
    *make_examples(BOOK, "set_sheet_layout", {"autofit": "all", "freeze_at": "B2", "tab_color": "C8935A"}),
    *make_examples(
        BOOK, "append_rows", {"rows": [[1019, "2026-04-02", "Ben Okoro", "West", "Cocoa 250 g", 12, 6.4, "=F20*G20"]]}
    ),
    Example("read_cells", {"path": BOOK, "range": "A1:H4"}),
    Example("read_cells", {"path": BOOK, "range": "G2:H3", "show": "details"}),
    Example("read_records", {"path": BOOK, "limit": 3}),
    Example("find_cells", {"path": BOOK, "query": "espresso"}),
    Example("find_cells", {"path": BOOK, "query": "H2", "by": "precedents"}),
    Example("export_data", {"path": BOOK, "target": "orders.csv"}),
    *make_examples(
        BOOK,
        "set_table",
        {"action": "add", "range": "A1:H20", "name": "Orders", "style": "TableStyleMedium3"},
        {"action": "change", "table": "Orders", "totals": {"Item": "count", "Unit price": "average", "Amount": "sum"}},
    ),
    *make_examples(
        BOOK,
        "set_pivot",
        {
            "pivot": "ByRegion",
            "data": "Orders",
            "sheet": "Pivot",
            "rows": ["Region", "Sold by"],
            "values": [
                {"field": "Amount", "name": "Turnover", "number_format": "#,##0.00"},
                {"field": "Order", "function": "count", "name": "Orders made"},
            ],
            "filters": {"Item": []},
        },
        {
            "pivot": "Cross",
            "data": "Orders",
            "sheet": "Pivot",
            "at": "F3",
            "rows": ["Item"],
            "columns": ["Region"],
            "values": [{"field": "Quantity", "function": "average", "number_format": "0.0"}],
        },
        {"action": "refresh", "pivot": "ByRegion"},
    ),
    Example("set_name", {"path": BOOK, "name": "Vat", "refers_to": "0.19"}),
    *make_examples(
        BOOK,
        "write_cells",
        {
            "sheet": "Summary",
            "rows": [
                ["Summary 2026", None, None],
                ["Net", "=SUM(Orders[Amount])", None],
                ["VAT", "=B2*Vat", None],
                ["Gross", "=B2+B3", None],
                ["Best day", "=INDEX(Orders[Date],MATCH(MAX(Orders[Amount]),Orders[Amount],0))", None],
            ],
        },
    ),
    *make_examples(
        BOOK,
        "annotate_cells",
        {
            "sheet": "Summary",
            "author": "Anna Berg",
            "edits": [
                {"op": "note", "cell": "A3", "text": "German rate, 19 %"},
                {"op": "comment", "cell": "B4", "text": "Does this hold the returns?"},
                {"op": "comment", "cell": "B4", "text": "Yes, since February."},
                {"op": "resolve", "cell": "B4"},
                {"op": "link", "cell": "A7", "text": "All orders", "target": "#Orders!A1"},
                {"op": "link", "cell": "A8", "text": "Our shop", "target": "https://example.org"},
            ],
        },
    ),
    *make_examples(
        BOOK,
        "place_image",
        {"sheet": "Summary", "image": "logo.png", "at": "E1", "width_px": 180, "alt_text": "The roastery's logo"},
        {"sheet": "Summary", "action": "change", "at": "D1", "height_px": 80},
    ),
    *make_examples(
        BOOK,
        "protect_workbook",
        {"action": "protect_sheet", "sheet": "Summary", "unlocked": ["B3"], "allow": ["format_cells", "sort"]},
        {"action": "protect_structure", "password": "beans"},
    ),
    Example("inspect_workbook", {"path": BOOK}),
    Example("inspect_workbook", {"path": BOOK, "sheet": "Orders", "profile": True}),
    Example("read_objects", {"path": BOOK}),
)

LINES = ("thin", "medium", "thick", "double", "dashed", "dotted", "hair")
FORMATS = ("#,##0.00", "0.0%", "yyyy-mm-dd", "#,##0;[Red]-#,##0", "0.00E+00", "# ?/?", '_-* #,##0.00 "€"_-', "h:mm")
STYLES = ("Good", "Bad", "Neutral", "Heading 1", "Heading 2", "Title", "Total", "Input", "Output", "Note", "Percent")
LOOK_CELLS = (
    *make_examples(
        LOOKS,
        "write_cells",
        {
            "rows": [
                ["Format", "Value"],
                *(
                    [f"'{code}", value]
                    for code, value in zip(
                        FORMATS, (1234.5, 0.256, 46000, -1850, 0.000123, 2.75, 99.5, 0.6), strict=True
                    )
                ),
            ]
        },
        {"start_cell": "D1", "rows": [["Style", "Sample"], *([style, 0.5] for style in STYLES)]},
        {"start_cell": "G1", "rows": [["Border"], *([line] for line in LINES)]},
        {
            "start_cell": "A15",
            "rows": [
                ["left", "center", "right", "a text that is justified over several lines", "x-", "indent"],
                ["top", "center", "bottom", "rotated", "italic", "single", "double", "strike", "Georgia 16"],
                ["A heading over four columns"],
            ],
        },
    ),
    *make_examples(
        LOOKS, "format_cells", *({"range": f"B{n}", "number_format": code} for n, code in enumerate(FORMATS, 2))
    ),
    *make_examples(LOOKS, "format_cells", *({"range": f"E{n}", "style": style} for n, style in enumerate(STYLES, 2))),
    *make_examples(
        LOOKS,
        "format_cells",
        *({"range": f"G{n}", "border": line, "border_color": "C00000"} for n, line in enumerate(LINES, 2)),
        {"range": "A15", "align": "left"},
        {"range": "B15", "align": "center"},
        {"range": "C15", "align": "right"},
        {"range": "D15", "align": "justify", "wrap": True},
        {"range": "E15", "align": "fill"},
        {"range": "F15", "indent": 2},
        {"range": "A16", "vertical": "top"},
        {"range": "B16", "vertical": "center"},
        {"range": "C16", "vertical": "bottom"},
        {"range": "D16", "rotation": 45},
        {"range": "E16", "italic": True},
        {"range": "F16", "underline": "single"},
        {"range": "G16", "underline": "double"},
        {"range": "H16", "strike": True},
        {"range": "I16", "font": "Georgia", "size_pt": 16, "font_color": "1F4E79"},
        {"range": "A1:G1", "bold": True, "border": "medium", "border_sides": ["bottom"]},
        {"range": "A15:I16", "border": "thick", "border_sides": ["outline"]},
    ),
    *make_examples(
        LOOKS,
        "set_sheet_layout",
        {"merge": ["A17:D17"], "row_heights": {"16": 48, "17": 30}, "column_widths": {"A": 20, "D": 16, "E": 12}},
        {"column_widths": {"I": 18}},
        {"hide": ["7:8"], "group": ["10:12"], "collapse": True, "gridlines": False, "zoom": 120},
    ),
    *make_examples(
        LOOKS,
        "set_print",
        {
            "orientation": "landscape",
            "paper": "a4",
            "page_header": ["&F", "Looks of cells", "&D"],
            "fit_wide": 1,
            "page_footer": ["", "Page &P of &N", "&A"],
            "margins": {"left": 0.5, "right": 0.5},
            "centered": True,
            "title_rows": "1:1",
            "breaks": ["15"],
        },
    ),
)

NUMBERS = (12, 45, 7, 88, 45, 63, 31, 95, 20, 54)
MARKED = {"fill_color": "FFC7CE", "font_color": "9C0006"}
RULE_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("> 50", {"rule": "cell", "operator": ">", "value": 50} | MARKED),
    ("20 to 60", {"rule": "cell", "operator": "between", "value": 20, "value2": 60, "fill_color": "C6EFCE"}),
    ("top 3", {"rule": "top", "value": 3, "fill_color": "FFEB9C", "bold": True}),
    ("low 20 %", {"rule": "bottom", "value": 20, "percent": True} | MARKED),
    ("average", {"rule": "average", "operator": "above", "fill_color": "BDD7EE"}),
    ("twice", {"rule": "duplicate"} | MARKED),
    ("once", {"rule": "unique", "fill_color": "E2EFDA"}),
    ("formula", {"rule": "formula", "value": "=MOD(H2,2)=1", "font_color": "C00000", "bold": True}),
    ("scale 3", {"rule": "color_scale"}),
    ("scale 2", {"rule": "color_scale", "colors": ["FFFFFF", "70AD47"]}),
    ("bar", {"rule": "data_bar"}),
    ("bar red", {"rule": "data_bar", "colors": ["C00000"]}),
    ("lights", {"rule": "icon_set"}),
    ("arrows", {"rule": "icon_set", "icons": "5_arrows"}),
    ("flags", {"rule": "icon_set", "icons": "3_flags"}),
    ("ratings", {"rule": "icon_set", "icons": "4_ratings"}),
)
TEXTS = (
    ["Item", "State", "Due", "Paid", "Share", "Note"],
    ["Beans", "late", "2026-01-05", 100, "=1/0", None],
    ["Tea", "on time", "2026-01-12", None, 0.4, "call"],
    ["Cocoa", "very late", "2025-12-20", 40, "=D4/100", None],
)
TEXT_RULES = (
    {"range": "B2:B4", "rule": "text", "operator": "containing", "value": "late"} | MARKED,
    {"range": "A2:A4", "rule": "text", "operator": "begins with", "value": "C", "bold": True, "font_color": "7F6000"},
    {"range": "C2:C4", "rule": "cell", "operator": "<", "value": "2026-01-01"} | MARKED,
    {"range": "C2:C4", "rule": "date", "operator": "last month", "fill_color": "DDEBF7"},
    {"range": "D2:D4", "rule": "blanks", "fill_color": "FFF2CC"},
    {"range": "E2:E4", "rule": "errors"} | MARKED,
    {"range": "E2:E4", "rule": "no_errors", "fill_color": "E2EFDA"},
    {"range": "F2:F4", "rule": "no_blanks", "fill_color": "EDEDED"},
)
TRENDS = [
    ["Good", "Line", "Column", "Win or loss", *(row[0] for row in MONTHS[1:])],
    ["Coffee", None, None, None, 3, 5, 4, 7, 8, 6],
    ["Tea", None, None, None, -2, 1, 3, -1, 2, 4],
    ["Cocoa", None, None, None, 6, 4, -3, 2, -1, -2],
]
RULE_BOOK = (
    Example("write_cells", {"path": RULES, "sheet": "Numbers", "rows": [[name for name, _ in RULE_KINDS], *(
        [value] * len(RULE_KINDS) for value in NUMBERS
    )]}),
    Example("set_print", {"path": RULES, "sheet": "Numbers", "orientation": "landscape", "fit_wide": 1}),
    *make_examples(RULES, "set_conditional_format", *(
        {"sheet": "Numbers", "range": f"{column}2:{column}11"} | rule
        for column, (_, rule) in zip("ABCDEFGHIJKLMNOP", RULE_KINDS, strict=True)
    )),
    Example("write_cells", {"path": RULES, "sheet": "Texts", "rows": [*TEXTS]}),
    *make_examples(RULES, "set_conditional_format", *({"sheet": "Texts"} | rule for rule in TEXT_RULES)),
    Example("write_cells", {"path": RULES, "sheet": "Input", "rows": [
        ["State", "Pieces", "Share", "Day", "Time", "Code", "Even"], ["open", 5, 0.5, "2026-02-01", 0.5, "ABC", 4],
    ]}),
    *make_examples(
        RULES,
        "set_validation",
        {"sheet": "Input", "range": "A2:A20", "allow": "list", "items": ["open", "paid", "late"], "prompt": "Which?"},
        {"sheet": "Input", "range": "B2:B20", "allow": "whole", "value": 1, "value2": 99, "error": "1 to 99 pieces"},
        {"sheet": "Input", "range": "C2:C9", "allow": "decimal", "operator": "<", "value": 1, "error_style": "warning"},
        {"sheet": "Input", "range": "D2:D20", "allow": "date", "operator": ">=", "value": "2026-01-01"},
        {"sheet": "Input", "range": "E2:E20", "allow": "time", "value": "08:00", "value2": "18:00"},
        {"sheet": "Input", "range": "F2:F20", "allow": "text_length", "operator": "=", "value": 3},
        {"sheet": "Input", "range": "G2:G20", "allow": "custom", "value": "=MOD(G2,2)=0"},
    ),
    Example("write_cells", {"path": RULES, "sheet": "Trends", "rows": TRENDS}),
    *make_examples(
        RULES,
        "set_sparklines",
        {"sheet": "Trends", "at": "B2:B4", "data": "E2:J4"},
        {"sheet": "Trends", "at": "C2:C4", "data": "E2:J4", "type": "column", "color": "70AD47"},
        {"sheet": "Trends", "at": "D2:D4", "data": "E2:J4", "type": "win_loss", "color": "C00000"},
    ),
    Example("read_objects", {"path": RULES}),
)  # fmt: skip

AXES = {"x_title": "Month", "y_title": "EUR"}
CHART_BOOK = (
    Example("write_cells", {"path": CHARTS, "sheet": "Data", "rows": MONTHS, "number_format": "#,##0"}),
    Example("write_cells", {"path": CHARTS, "sheet": "Data", "start_cell": "F1", "rows": VISITS}),
    Example("write_cells", {"path": CHARTS, "sheet": "Data", "start_cell": "J1", "rows": QUOTES}),
    Example("write_cells", {"path": CHARTS, "sheet": "Data", "start_cell": "A10", "rows": TASTE}),
    *make_chart_board(
        "Columns",
        "data",
        {"type": "column", "title": "Sales by month"} | AXES,
        {"type": "stacked_column", "title": "Sales in sum", "legend": "bottom"},
        {"type": "percent_column", "title": "Shares of sales", "legend": "top"},
        {"type": "bar", "title": "Sales, lying", "y_title": "EUR", "legend": "left"},
        {"type": "stacked_bar", "title": "Sales in sum, lying", "data": "Data!A1:C7", "data_labels": "value"},
        {"type": "percent_bar", "title": "Shares, lying", "legend": "none"},
    ),
    *make_chart_board(
        "Lines",
        "data",
        {"type": "line", "title": "Sales as lines"} | AXES,
        {"type": "stacked_line", "title": "Stacked lines", "legend": "bottom"},
        {"type": "area", "title": "Areas", "data": "Data!A1:B7"},
        {"type": "stacked_area", "title": "Stacked areas"},
        {"type": "percent_area", "title": "Shares as areas"},
        {"type": "stock", "title": "Coffee futures", "data": PRICES, "y_title": "US cents per pound"},
    ),
    *make_chart_board(
        "Round",
        "data",
        {"type": "pie", "title": "Coffee by month", "data": "Data!A1:B7", "data_labels": "percentage"},
        {"type": "doughnut", "title": "Coffee ring", "data": "Data!A1:B7", "data_labels": "category", "legend": "none"},
        {"type": "radar", "title": "Taste", "data": FLAVOUR},
        {"type": "filled_radar", "title": "Taste, filled", "data": FLAVOUR, "legend": "bottom"},
        {"type": "scatter", "title": "Price and sales", "data": POINTS, "x_title": "Price", "y_title": "Sold"},
        {"type": "scatter_lines", "title": "Price and sales, joined", "data": POINTS},
    ),
    *make_chart_board(
        "More",
        "series",
        {"type": "bubble", "title": "Margin as size", "series": [
            {"values": "Data!G2:G7", "categories": "Data!F2:F7", "sizes": "Data!H2:H7", "name": "Goods"}
        ], "x_title": "Price", "y_title": "Sold"},
        {"type": "column", "title": "Coffee and tea", "y_title": "Coffee", "y2_title": "Tea", "series": [
            {"values": "Data!B2:B7", "name": "=Data!B1", "categories": "Data!A2:A7", "color": "6F4E37"},
            {"values": "Data!C2:C7", "name": "=Data!C1", "type": "line", "second_axis": True, "color": "70AD47"},
        ], "legend": "bottom"},
        {"type": "line", "title": "Trend", "series": [
            {"values": "Data!B2:B7", "name": "=Data!B1", "categories": "Data!A2:A7", "trendline": "linear"},
            {"values": "Data!C2:C7", "name": "=Data!C1", "trendline": "moving_average"},
        ]},
        {"type": "scatter", "title": "Power law", "series": [
            {"values": "Data!G2:G7", "categories": "Data!F2:F7", "name": "Sold", "trendline": "power"}
        ]},
        {"type": "scatter", "title": "Exponential and logarithm", "series": [
            {"values": "Data!G2:G7", "categories": "Data!F2:F7", "name": "Sold", "trendline": "exponential"},
            {"values": "Data!H2:H7", "categories": "Data!F2:F7", "name": "Margin", "trendline": "log"},
        ]},
        {"type": "line", "title": "Closing price", "series": [
            {"values": "Data!N2:N9", "categories": "Data!J2:J9", "name": "Close"}
        ], "data_labels": "value"},
    ),
    *make_examples(
        CHARTS,
        "set_chart",
        {"action": "change", "sheet": "More", "chart": "Chart 1", "title": "Margin by price"},
        {"action": "change", "sheet": "More", "chart": "Chart 6", "type": "bar", "legend": "right"}
        | {"data_labels": "none"},
    ),
    Example("read_objects", {"path": CHARTS, "sheet": "More", "kinds": ["charts"]}),
)  # fmt: skip

LIST = [
    ["Place and shelf", "Item", "Counted", "Price"],
    ["Bremen/A1", " espresso  beans ", "1.250", 24.5],
    ["Bremen/A2", "green tea", "310", 8.75],
    ["Kassel/B7", "cocoa", "96", 6.4],
    ["Kassel/B9", "filter blend", "2.004", 12.9],
    ["Kassel/B7", "cocoa", "96", 6.4],
]
CHANGES = (
    {"op": "insert_columns", "range": "B:C"},
    {"op": "split", "range": "A2:A6", "value": "/", "to": "B"},
    {"op": "write", "range": "B1", "values": [["Place", "Shelf"]]},
    {"op": "delete_columns", "range": "A:A"},
    {"op": "convert", "range": "C2:C6", "how": "trim"},
    {"op": "convert", "range": "C2:C6", "how": "proper"},
    {"op": "convert", "range": "D2:D6", "how": "number_comma"},
    {"op": "deduplicate", "range": "A1:E6", "by": ["Shelf"]},
    {"op": "sort", "range": "A1:E5", "by": ["-Counted"]},
    {"op": "replace", "find": "Bremen", "replacement": "Bremerhaven", "range": "A2:A5"},
    {"op": "write", "range": "F1", "values": [["Value"], ["=D2*E2"]]},
    {"op": "fill", "range": "F2:F5", "how": "down"},
    {"op": "write", "range": "G1", "values": [["No."], [1], [2]]},
    {"op": "fill", "range": "G2:G5", "how": "series"},
    {"op": "insert_rows", "range": "1:2"},
    {"op": "write", "range": "A1", "values": [["Stock on hand"]]},
    {"op": "copy", "range": "A3:G7", "to": "A10"},
    {"op": "filter", "range": "A10:G14", "by": ["Counted"], "test": ">", "value": 100},
    {"op": "transpose", "range": "A3:D7", "to": "A17"},
    {"op": "write", "range": "A23", "values": [["Surcharge", 0.1, "=SUM(F4:F7)*(1+B23)"]]},
    {"op": "seek_goal", "range": "C23", "value": 70000, "by": ["B23"]},
    {"op": "move", "range": "A23:C23", "to": "A25"},
    {"op": "clear", "range": "G3:G7"},
    {"op": "delete_rows", "range": "15:15"},
    {"op": "recalculate"},
)
STOCK_BOOK = (
    *make_examples(STOCK, "import_data", {"source": "stock.csv", "sheet": "Stock", "delimiter": ";", "decimal": ","}),
    *make_examples(STOCK, "import_data", {"source": "staff.json", "sheet": "Staff"}),
    *make_examples(STOCK, "change_sheets", {"action": "copy", "sheet": "Stock", "name": "Before"}),
    Example("export_data", {"path": STOCK, "target": "stock_before.ods"}),
    Example("write_cells", {"path": STOCK, "sheet": "Count", "rows": LIST}),
    *make_examples(STOCK, "edit_workbook", {"edits": [{"sheet": "Count"} | change for change in CHANGES]}),
    Example("format_cells", {"path": STOCK, "sheet": "Count", "range": "B24", "number_format": "0.0%"}),
    Example("format_cells", {"path": STOCK, "sheet": "Count", "range": "C24", "number_format": "#,##0.00"}),
    Example("set_sheet_layout", {"path": STOCK, "sheet": "Count", "autofit": "all"}),
    *make_examples(STOCK, "set_sheet_layout", {"sheet": "Staff", "right_to_left": True, "autofit": "A:C"}),
    Example("export_data", {"path": STOCK, "target": "stock.pdf"}, ("stock.pdf",)),
    Example("export_data", {"path": STOCK, "sheet": "Staff", "target": "staff.csv"}),
    Example("export_data", {"path": "stock_before.ods", "target": "earlier.xlsx"}, ("earlier.xlsx",)),
    Example("compare_workbooks", {"path": "earlier.xlsx", "other": STOCK, "formats": True}),
)

GALLERY = Gallery(prepare_files, (*ORDER_BOOK, *LOOK_CELLS, *RULE_BOOK, *CHART_BOOK, *STOCK_BOOK))
