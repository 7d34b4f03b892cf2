"""Examples of slides: the decks of a maker of bicycles for freight."""

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tools.example import Example, Gallery

QUARTERS = ["Q1 2025", "Q2 2025", "Q3 2025", "Q4 2025"]
REGIONS = ["Germany", "France", "Netherlands", "Austria", "Denmark", "Other"]
RISKS = ["Supply of cells stays tight until the summer", "\tTwo makers instead of one since March", "Price of steel"]
STEPS = ["Hire two designers", "Open the shop in Lyon", "\tLease signed, opening on 4 May", "\tTeam of five"]

OUTLINE: list[dict[str, Any]] = [
    {"title": "Annual review 2025", "body": ["Nordwind Cargo Bikes, board meeting of 16 March 2026"]},
    {
        "title": "Sales grew by a fifth, margins by two points",
        "body": ["Revenue 48.2 m EUR", *STEPS],
        "notes": "Thank all.",
    },
    {"title": "Where we stand", "body": ["Markets, products and people"], "layout": "Section Header"},
    {"title": "Chances and risks", "body": STEPS, "more_bodies": [RISKS], "layout": "Two Content"},
    {
        "title": "Lease or buy",
        "body": ["Lease"],
        "more_bodies": [["29 EUR a month", "Service included"], ["Buy"], ["1,190 EUR once", "Service by the hour"]],
        "layout": "Comparison",
    },
    {"title": "Units sold by quarter", "layout": "Title Only"},
    {"layout": "Blank"},
    {
        "title": "Why it went well",
        "body": STEPS,
        "more_bodies": [["Figures are preliminary."]],
        "layout": "Content with Caption",
    },
    {"title": "The Lastenrad 3", "body": ["In the shops since September"], "layout": "Picture with Caption"},
    {"title": "Three bets for 2026", "body": STEPS, "more_bodies": [RISKS, RISKS[:2]], "layout": "Three Content"},
    {
        "title": "A van stands still four fifths of the day. A bicycle does not.",
        "body": ["Mia Holm, courier"],
        "layout": "Quote",
    },
]

PRESETS = (
    "rect roundRect snip1Rect ellipse triangle rtTriangle parallelogram trapezoid diamond pentagon hexagon octagon "
    "cross plaque can cube donut blockArc chord pie heart lightningBolt sun moon cloud star4 star5 star8 ribbon wave "
    "rightArrow leftArrow upArrow downArrow leftRightArrow uturnArrow bentArrow circularArrow chevron homePlate "
    "wedgeRectCallout wedgeRoundRectCallout wedgeEllipseCallout cloudCallout borderCallout1 flowChartProcess "
    "flowChartDecision flowChartDocument flowChartTerminator flowChartInputOutput flowChartMultidocument foldedCorner "
    "leftBrace rightBracket mathPlus gear6"
)


def slides_of(*titles: str) -> list[dict[str, Any]]:
    return [{"title": title, "layout": "Title Only"} for title in titles]


def locate_grid_cell(at: int, columns: int, width: float, height: float, gap: float = 0.5) -> dict[str, float]:
    """The place of the part `at` in a grid under the title."""
    row, column = divmod(at, columns)
    place = {"left_cm": 1.6 + column * (width + gap), "top_cm": 3.6 + row * (height + gap)}
    return {**place, "width_cm": width, "height_cm": height}


def prepare_files(files: Path) -> None:
    bike = Image.new("RGB", (900, 600), "#dfeaf2")
    pen = ImageDraw.Draw(bike)
    for left in (120, 540):
        pen.ellipse((left, 300, left + 240, 540), outline="#22313f", width=14)
    pen.line((240, 420, 400, 240, 600, 240, 660, 420, 420, 420, 400, 240), fill="#0f6e84", width=16)
    pen.rectangle((560, 130, 820, 290), fill="#e0a030", outline="#7a5510", width=6)
    bike.save(files / "bike.png")
    logo = Image.new("RGBA", (400, 400), (0, 0, 0, 0))
    ImageDraw.Draw(logo).polygon([(200, 20), (380, 380), (200, 290), (20, 380)], fill="#0f6e84")
    logo.save(files / "logo.png")


def list_outline_examples() -> tuple[Example, ...]:
    deck, brand = "review.pptx", "brand.pptx"
    return (
        Example("create_deck", {"path": deck, "slides": OUTLINE, "title": "Review", "author": "Nordwind"}, (deck,)),
        Example("create_deck", {"path": "classic.pptx", "slides": OUTLINE, "size": "4:3"}, ("classic.pptx",)),
        Example("inspect_deck", {"path": deck}),
        Example("read_slides", {"path": deck, "slides": [2, 5]}),
        Example("create_deck", {"path": brand, "slides": OUTLINE[:3]}),
        Example(
            "configure_deck",
            {
                "path": brand,
                "theme_colors": {"dark2": "3B1F4E", "accent1": "A3195B", "accent2": "E6A400", "accent3": "2A9D8F"},
                "heading_font": "Georgia",
                "body_font": "Arial",
                "properties": {"subject": "Brand", "keywords": "design"},
                "sections": [{"name": "Start", "first_slide": 1}, {"name": "Market", "first_slide": 3}],
            },
            (brand,),
        ),
        Example("create_deck", {"path": "offer.pptx", "slides": OUTLINE[:5], "template": brand}, ("offer.pptx",)),
        Example("add_slides", {"path": brand, "slides": OUTLINE[3:5], "position": 3}),
        Example("copy_slides", {"path": brand, "source": deck, "slides": [8, 10, 11]}, (brand,)),
        Example("arrange_slides", {"path": brand, "action": "move", "slides": [8, 2], "position": 3}),
        Example("arrange_slides", {"path": brand, "action": "duplicate", "slides": [1]}),
        Example("arrange_slides", {"path": brand, "action": "hide", "slides": [2, 3]}),
        Example("arrange_slides", {"path": brand, "action": "show", "slides": [3]}),
        Example("arrange_slides", {"path": brand, "action": "delete", "slides": [2]}, (brand,)),
        Example(
            "configure_deck", {"path": brand, "width_cm": 25.4, "height_cm": 19.05, "scale_shapes": True}, (brand,)
        ),
    )


def list_format_examples() -> tuple[Example, ...]:
    deck = "review.pptx"
    feet = {"footer": "Nordwind, confidential", "slide_number": True, "date": "16 March 2026"}
    return (
        Example("format_slides", {"path": deck, **feet, "transition": "fade", "transition_s": 0.7}),
        Example("format_slides", {"path": deck, "slides": [6], "background": "FFF4DC", "transition": "morph"}),
        Example("format_slides", {"path": deck, "slides": [7], "background": "dark2", "advance_after_s": 5}),
        Example("format_slides", {"path": deck, "slides": [8], "layout": "Two Content"}, (deck,)),
        Example("set_speaker_notes", {"path": deck, "notes": [{"slide": 4, "text": "Pause.\nAsk for questions."}]}),
        Example("set_speaker_notes", {"path": deck, "notes": [{"slide": 2, "text": "Smile."}], "append": True}),
        Example("replace_deck_text", {"path": deck, "find": "Lastenrad", "replace": "Cargo Bike"}),
        Example("replace_deck_text", {"path": deck, "find": r"(\d) May", "replace": r"\1 June", "regex": True}),
        Example("read_deck_text", {"path": deck}),
        Example("read_deck_text", {"path": deck, "format": "outline", "with_notes": False}),
        Example("compare_decks", {"path": "classic.pptx", "other": deck}),
    )


def list_text_examples() -> tuple[Example, ...]:
    deck = "text.pptx"

    def box(slide: int, at: int, text: str) -> dict[str, Any]:
        return {
            "kind": "rect",
            **locate_grid_cell(at, 3, 9.8, 4),
            "text": [text],
            "fill": "light2",
            "name": f"box {slide}{at}",
        }

    spaced = {"space_before_pt": 6, "space_after_pt": 12, "line_spacing": 1.5}
    runs = [
        {"text": "Bold, ", "bold": True},
        {"text": "italic, ", "italic": True},
        {"text": "underlined, ", "underline": True},
        {"text": "large ", "size_pt": 32},
        {"text": "and coloured, ", "color": "accent2"},
        {"text": "in code, ", "font": "Courier New"},
        {"text": "a page", "link": "https://example.org/bikes"},
        {"text": " and a slide", "link": "#1"},
    ]
    paragraphs: list[dict[str, Any]] = [
        {"runs": runs},
        {"text": "First by number", "bullet": "number"},
        {"text": "Second by number", "bullet": "number"},
        {"text": "Deeper, with a dot", "bullet": "bullet", "level": 1},
        {"text": "Deeper still", "bullet": "bullet", "level": 2},
        {"text": "Without a dot", "bullet": "none"},
        {"text": "Centred", "align": "center", "bullet": "none"},
        {"text": "To the right", "align": "right", "bullet": "none"},
        {
            "text": "With air around it, and one and a half lines high. " * 3,
            "align": "justify",
            "bullet": "none",
            **spaced,
        },
    ]
    long = "Our couriers ride eighty kilometres a day, in all weathers, with up to two hundred kilos of freight. " * 4
    start = {
        "slides": [
            {"title": "Formats", "body": ["x"], "layout": "Title and Content"},
            *slides_of("Boxes"),
            {"title": "More", "body": STEPS},
        ]
    }
    boxes = [box(2, at, word) for at, word in enumerate(("none", "shrink", "resize", "top", "middle", "bottom"))]
    return (
        Example("create_deck", {"path": deck, **start}),
        Example("set_shape_text", {"path": deck, "slide": 1, "shape": "body", "paragraphs": paragraphs}),
        Example("add_slide_shapes", {"path": deck, "slide": 2, "shapes": boxes}),
        *(
            Example(
                "set_shape_text",
                {"path": deck, "slide": 2, "shape": f"box 2{at}", "paragraphs": [long], "autofit": autofit},
            )
            for at, autofit in enumerate(("none", "shrink", "resize"))
        ),
        *(
            Example(
                "set_shape_text",
                {
                    "path": deck,
                    "slide": 2,
                    "shape": f"box 2{at}",
                    "paragraphs": [f"At the {anchor}", "\tdeeper"],
                    "vertical": anchor,
                    "margin_cm": 0.6,
                },
            )
            for at, anchor in enumerate(("top", "middle", "bottom"), 3)
        ),
        Example(
            "set_shape_text", {"path": deck, "slide": 3, "shape": "body", "paragraphs": ["And so on"], "append": True}
        ),
        Example(
            "format_shape_text", {"path": deck, "slide": 3, "shapes": ["title"], "color": "accent2", "size_pt": 40}
        ),
        Example(
            "format_shape_text",
            {"path": deck, "slide": 3, "shapes": ["body"], "find": "Lyon", "bold": True, "underline": True},
        ),
        Example(
            "format_shape_text",
            {"path": deck, "slide": 3, "shapes": ["body"], "find": "two", "italic": True, "font": "Georgia"},
            (deck,),
        ),
        Example("check_deck", {"path": deck}),
    )


def list_drawing_examples() -> tuple[Example, ...]:
    deck = "shapes.pptx"
    tiles = [
        {"kind": kind, **locate_grid_cell(at, 10, 2.6, 1.8, 0.48), "fill": f"accent{at % 6 + 1}"}
        for at, kind in enumerate(PRESETS.split())
    ]
    named = [
        {
            "kind": "rect",
            **locate_grid_cell(at, 3, 9.8, 2.6),
            "fill": fill,
            "text": ["A shape with", fill],
            "size_pt": 16,
        }
        for at, fill in enumerate(
            ("accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "dark1", "light1", "FFD43B")
        )
    ]
    flow = [
        {"kind": "flowChartTerminator", "text": ["Order"], "left_cm": 2, "top_cm": 5},
        {"kind": "flowChartProcess", "text": ["Build"], "left_cm": 10, "top_cm": 5},
        {"kind": "flowChartDecision", "text": ["Good?"], "left_cm": 18, "top_cm": 5},
        {"kind": "ellipse", "text": ["Ship"], "left_cm": 26, "top_cm": 5},
        {"kind": "roundRect", "text": ["Repair"], "left_cm": 10, "top_cm": 11},
    ]
    flow = [{**step, "width_cm": 5, "height_cm": 2.6, "fill": "accent1", "name": step["text"][0]} for step in flow]
    arrow = {"end_arrow": True, "line_color": "dark2", "line_pt": 2}
    links = [
        {"kind": kind, "from_shape": first, "to_shape": second, **arrow}
        for kind, first, second in (
            ("line", "Order", "Build"),
            ("line", "Build", "Good?"),
            ("line", "Good?", "Ship"),
            ("elbow", "Good?", "Repair"),
            ("curve", "Repair", "Build"),
        )
    ]
    free = [
        {"kind": "line", "left_cm": 2, "top_cm": 15, "width_cm": 10, "height_cm": 0, "start_arrow": True, **arrow},
        {"kind": "curve", "left_cm": 14, "top_cm": 14.5, "width_cm": 6, "height_cm": 2, "line_color": "accent4"},
        {
            "kind": "textbox",
            "left_cm": 22,
            "top_cm": 14.5,
            "width_cm": 9,
            "height_cm": 1.5,
            "text": ["A remark in a box"],
        },
    ]
    titles = ("Presets", "Fills", "How an order goes", "Styles", "Places", "Copies")
    styled = [
        {"kind": "roundRect", **locate_grid_cell(at, 4, 7, 3.2), "name": f"s{at}", "text": [f"s{at}"]}
        for at in range(12)
    ]
    placed = [
        {
            "kind": "rect",
            "left_cm": 2 + 3 * at,
            "top_cm": 4 + at,
            "width_cm": 2 + at / 2,
            "height_cm": 1.5,
            "name": f"p{at}",
        }
        for at in range(9)
    ]
    styles: tuple[dict[str, Any], ...] = (
        {"fill": "accent2"},
        {"fill": "accent1", "fill_to": "accent3"},
        {"fill": "none", "line_color": "accent4", "line_pt": 3},
        {"fill": "accent5", "transparency": 0.7},
        *(
            {"fill": "light1", "line_color": "accent1", "line_pt": 2, "dash": d}
            for d in ("dash", "dot", "dashDot", "lgDash")
        ),
        {"fill": "accent6", "shadow": True},
    )
    moves = (
        {"shapes": ["s9"], "rotation_deg": 30},
        {"shapes": ["s10"], "flip_v": True, "flip_h": True},
        {"shapes": ["s11"], "width_cm": 3, "height_cm": 2, "left_cm": 28},
    )
    places = (
        {"op": "align", "shapes": ["p0", "p1", "p2"], "to": "top"},
        {"op": "distribute", "shapes": ["p0", "p1", "p2"], "to": "horizontal"},
        {"op": "align", "shapes": ["p3", "p4", "p5"], "to": "left"},
        {"op": "align", "shapes": ["p6"], "to": "right", "within": "slide"},
        {"op": "align", "shapes": ["p7", "p8"], "to": "bottom"},
        {"op": "move", "shapes": ["p8"], "left_cm": 24.5},
        {"op": "order", "shapes": ["p7"], "to": "front"},
        {"op": "style", "shapes": ["p7"], "fill": "accent2"},
        {"op": "group", "shapes": ["p0", "p1"], "name": "pair"},
        {"op": "duplicate", "shapes": ["pair", "p3"], "to_slide": 6},
        {"op": "duplicate", "shapes": ["pair"], "left_cm": 2, "top_cm": 15},
        {"op": "link", "shapes": ["p3"], "link": "https://example.org"},
        {"op": "link", "shapes": ["p4"], "link": "#1"},
        {"op": "describe", "shapes": ["p5"], "name": "tile", "alt_text": "A tile"},
        {"op": "delete", "shapes": ["p6"]},
    )
    operations = [
        *({"op": "style", "slide": 4, "shapes": [f"s{at}"], **style} for at, style in enumerate(styles)),
        *({"op": "move", "slide": 4, **move} for move in moves),
        *({"slide": 5, **place} for place in places),
        {"op": "ungroup", "slide": 6, "shapes": ["pair"]},
        {"op": "move", "slide": 3, "shapes": ["Repair"], "left_cm": 14, "top_cm": 11.5},
    ]
    return (
        Example("create_deck", {"path": deck, "slides": slides_of(*titles)}),
        Example("add_slide_shapes", {"path": deck, "slide": 1, "shapes": tiles}),
        Example("add_slide_shapes", {"path": deck, "slide": 2, "shapes": named}),
        Example("add_slide_shapes", {"path": deck, "slide": 3, "shapes": [*flow, *links, *free]}),
        Example("add_slide_shapes", {"path": deck, "slide": 4, "shapes": styled}),
        Example("add_slide_shapes", {"path": deck, "slide": 5, "shapes": placed}, (deck,)),
        Example("edit_slide_shapes", {"path": deck, "edits": operations}, (deck,)),
        Example("read_slides", {"path": deck, "slides": [3], "details": True}),
        Example("check_deck", {"path": deck, "slides": [3, 4, 5], "kinds": ["overlap", "off_slide", "low_contrast"]}),
    )


def list_picture_examples() -> tuple[Example, ...]:
    deck, bike = "pictures.pptx", {"path": "pictures.pptx", "image": "bike.png", "alt_text": "A cargo bicycle"}
    fits = [
        Example(
            "place_slide_picture", {**bike, "slide": 2, **locate_grid_cell(at, 3, 9.8, 10), "fit": fit, "name": fit}
        )
        for at, fit in enumerate(("contain", "cover", "stretch"))
    ]
    start = [{"title": "In the shops", "body": ["Since September"], "layout": "Picture with Caption"}]
    crop = {"op": "crop", "slide": 3, "left": 0.5, "bottom": 0.4}
    return (
        Example("create_deck", {"path": deck, "slides": [*start, *slides_of("Three ways to fit", "Alone")]}),
        Example("place_slide_picture", {**bike, "slide": 1, "shape": "picture", "fit": "cover"}),
        Example("arrange_slides", {"path": deck, "action": "duplicate", "slides": [1], "position": 4}),
        Example("add_slides", {"path": deck, "slides": start}),
        Example("place_slide_picture", {**bike, "slide": 5, "shape": "picture"}),
        Example("place_slide_picture", {**bike, "slide": 4, "left_cm": 24, "top_cm": 12, "height_cm": 5}),
        *fits,
        Example("place_slide_picture", {**bike, "slide": 3, "name": "bike"}),
        Example("edit_slide_shapes", {"path": deck, "edits": [{**crop, "shapes": ["bike"]}]}),
        Example("place_slide_picture", {**bike, "slide": 2, "shape": "cover", "image": "logo.png"}, (deck,)),
        Example(
            "save_slide_picture", {"path": deck, "slide": 3, "shape": "bike", "target": "saved.png"}, ("saved.png",)
        ),
    )


def list_table_examples() -> tuple[Example, ...]:
    deck = "tables.pptx"
    rows = [
        ["Region", "Units", "Revenue in k EUR", "Margin", "Listed"],
        ["Germany", 5230, 18310.5, "38.1 %", True],
        ["France", 2980, 9850.25, "36.4 %", True],
        ["Netherlands", 2410, 8115, "35.0 %", False],
        ["Austria", 890, 3010, "31.2 %", None],
    ]
    table = {"path": deck, "left_cm": 1.6, "top_cm": 3.7, "width_cm": 30.6, "height_cm": 6}
    table_arguments = {**table, "slide": 2, "rows": rows, "size_pt": 18, "name": "sales"}
    long = [["What", "Why it matters to us and to our partners in all of the markets", "Who"]]
    long += [
        [f"Topic {n}", "Because the couriers ask for it every day, and the rivals have it", "Mia"] for n in range(1, 9)
    ]
    operations = [
        {"op": "insert_rows", "row": 6, "values": [["Total", 11510, 39285.75, "36.7 %", ""]]},
        {"op": "insert_columns", "column": 5, "values": [["Note"], ["up"], ["up"], ["flat"], ["down"], [""]]},
        {"op": "delete_columns", "column": 6},
        {"op": "insert_rows", "row": 3, "count": 2, "values": [["Denmark", 640, 2105, "30.0 %", "new"]]},
        {"op": "delete_rows", "row": 4},
        {"op": "style", "header": True, "banded": True, "total": True, "first_column": True},
        {"op": "format", "row": 2, "column": 5, "to_row": 6, "align": "center", "italic": True, "color": "accent3"},
        {"op": "format", "row": 3, "column": 3, "fill": "FFE08A", "bold": True, "border": "C92A2A", "vertical": "top"},
        {"op": "merge", "row": 7, "column": 4, "to_column": 5},
        {"op": "size", "column": 1, "width_cm": 9},
        {"op": "size", "row": 1, "height_cm": 1.8},
        {"op": "set", "row": 2, "column": 1, "values": [["Germany (with Berlin)", 5231]]},
    ]
    return (
        Example("create_deck", {"path": deck, "slides": slides_of("Plain", "Formatted", "Long", "No header")}),
        Example("add_slide_table", {**table, "slide": 1, "rows": rows}),
        Example("add_slide_table", table_arguments),
        Example("edit_slide_table", {"path": deck, "slide": 2, "shape": "sales", "edits": operations}),
        Example("add_slide_table", {**table, "slide": 3, "rows": long, "column_widths_cm": [5, 20, 5.6]}),
        Example("add_slide_table", {**table, "slide": 4, "rows": rows[1:], "header": False, "width_cm": 18}, (deck,)),
        Example("check_deck", {"path": deck}),
        Example("read_slides", {"path": deck, "slides": [2]}),
    )


SHARES = [{"name": "Share", "values": [41.0, 23.0, 17.0, 8.0, 6.0, 5.0]}]
UNITS = [
    {"name": "Lastenrad 3", "values": [1210.0, 1840.0, 2105.0, 1630.0]},
    {"name": "Lastenrad 2", "values": [900.0, 870.0, 640.0, 310.0]},
    {"name": "Trailers", "values": [310.0, 450.0, None, 520.0]},
]
POINTS = [
    {
        "name": "Shops",
        "x": [80.0, 120.0, 160.0, 240.0],
        "values": [210.0, 260.0, 420.0, 530.0],
        "size": [3.0, 5.0, 8.0, 4.0],
    },
    {"name": "Online", "x": [60.0, 150.0, 200.0], "values": [120.0, 180.0, 330.0], "size": [6.0, 2.0, 5.0]},
]
KINDS = (
    ("column", "column_stacked", "column_stacked_100", "bar"),
    ("bar_stacked", "bar_stacked_100", "line", "line_markers"),
    ("area", "area_stacked", "area_stacked_100", "pie"),
    ("doughnut", "radar", "radar_markers", "radar_filled"),
    ("scatter", "scatter_lines", "scatter_smooth", "bubble"),
)


def data_of(kind: str) -> dict[str, Any]:
    if kind.startswith(("scatter", "bubble")):
        bubbles = [
            {key: value for key, value in point.items() if key != "size" or kind == "bubble"} for point in POINTS
        ]
        return {"series": bubbles}
    if kind in ("pie", "doughnut"):
        return {"categories": REGIONS, "series": SHARES}
    return {"categories": QUARTERS, "series": UNITS}


CAPTION = {"op": "describe", "slide": 6, "shapes": [3], "alt_text": "Units by quarter and product"}


def list_chart_examples() -> tuple[Example, ...]:
    deck = "charts.pptx"
    titles = [f"Kinds {at}" for at in range(1, 6)]
    titles += ["Titles and scales", "Labels", "Columns and a line", "Shares", "Losses and long names"]
    full = {"left_cm": 1.6, "top_cm": 3.7, "width_cm": 30.6, "height_cm": 13}
    left, right = full | {"width_cm": 15}, full | {"left_cm": 17, "width_cm": 15}
    axes = {
        "title": "Units sold in 2025",
        "legend": "right",
        "category_title": "Quarter",
        "value_title": "Units",
        "value_min": 0,
        "value_max": 2500,
        "number_format": "#,##0",
        "gridlines": False,
        "gap_percent": 120,
        "font_size_pt": 16,
    }
    margin = {"name": "Margin in %", "values": [34.0, 36.0, 38.5, 37.0], "kind": "line", "second_axis": True}
    losses = [{"name": "Result", "values": [-3.2, 1.4, 5.1, -0.8, 2.0, 0.4], "color": "C92A2A"}]
    names = [f"{region} with all of its partners" for region in REGIONS]
    result = {"data_labels": True, "number_format": "0.0", "legend": "none", "title": "Result in m EUR"}
    labels = {"data_labels": True}
    percent = {**labels, "number_format": '0"%"', "legend": "left"}

    def chart(slide: int, kind: str | None, place: dict[str, Any], **more: Any) -> Example:
        data = {} if kind is None or "shape" in more or "series" in more else data_of(kind)
        asked = {"path": deck, "slide": slide, "kind": kind, **place, **data, **more}
        return Example("write_slide_chart", {key: value for key, value in asked.items() if value is not None})

    return (
        Example("create_deck", {"path": deck, "slides": slides_of(*titles)}),
        *(
            chart(slide, kind, locate_grid_cell(at, 2, 15, 6.5), look={"title": kind})
            for slide, kinds in enumerate(KINDS, 1)
            for at, kind in enumerate(kinds)
        ),
        chart(6, "column", full, look=axes),
        chart(7, "column_stacked", left),
        chart(7, None, {}, shape=3, look={**labels, "legend": "top"}),
        chart(7, "line_markers", right, look=labels),
        chart(8, "column", full, categories=QUARTERS, series=[*UNITS[:2], margin], look={"value_title": "Units"}),
        chart(9, "pie", left, look=percent),
        chart(9, "column", right, **data_of("pie")),
        chart(9, "doughnut", {}, shape=4, look={**labels, "legend": "right"}),
        chart(10, "column", left, categories=names, series=losses),
        chart(10, "bar", right, categories=names, series=losses, look=result),
        Example("edit_slide_shapes", {"path": deck, "edits": [CAPTION]}, (deck,)),
        Example("read_slides", {"path": deck, "slides": [8]}),
        Example("check_deck", {"path": deck, "slides": [6, 7, 8]}),
    )


GALLERY = Gallery(
    prepare_files,
    (
        *list_outline_examples(),
        *list_format_examples(),
        *list_text_examples(),
        *list_drawing_examples(),
        *list_picture_examples(),
        *list_table_examples(),
        *list_chart_examples(),
    ),
)
