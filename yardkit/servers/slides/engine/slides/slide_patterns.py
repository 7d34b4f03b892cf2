"""Arrangements of a slide by name: where titles, texts, pictures, tables and charts stand, and what is drawn for them.

Places are given on a slide of 10 x 7.5 inches and scaled to the slide at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["title", "text", "picture", "table", "chart", "shape"]
Tone = Literal["primary", "secondary", "accent1", "accent2", "light", "pale", "text", "white"]
Side = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Element:
    """A part of a pattern; `role` is the name that content is given under.

    Attributes:
        box: left, top, width, height in inches.
        tone: colour of the text, or of the area of a shape.
        shape: preset of a shape, which holds no text.
        needs: a shape is drawn only where one of these roles has content; always when there are none.
    """

    part: Part
    role: str
    box: tuple[float, float, float, float]
    size_pt: float = 18
    tone: Tone = "text"
    side: Side = "left"
    bold: bool = False
    shape: str = "rect"
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pattern:
    """An arrangement: its name, what it is for, and its elements from back to front."""

    name: str
    description: str
    elements: tuple[Element, ...]
    background: Tone | None = None
    kind: Literal["title", "content"] = "content"

    def list_roles(self, *parts: Part) -> list[str]:
        """The roles of some parts."""
        return [element.role for element in self.elements if element.part in parts]


def _make_title(role: str = "title", tone: Tone = "primary", top: float = 0.45, height: float = 0.95) -> Element:
    return Element("title", role, (0.6, top, 8.8, height), 30, tone, bold=True)


def _make_text(
    role: str,
    box: tuple[float, float, float, float],
    size_pt: float = 18,
    tone: Tone = "text",
    side: Side = "left",
    *,
    bold: bool = False,
) -> Element:
    return Element("text", role, box, size_pt, tone, side, bold)


def _make_area(
    role: str, box: tuple[float, float, float, float], tone: Tone, *needs: str, shape: str = "rect"
) -> Element:
    return Element("shape", role, box, tone=tone, shape=shape, needs=needs)


def _make_picture(role: str, box: tuple[float, float, float, float]) -> Element:
    return Element("picture", role, box)


def _divide_columns(count: int, gap: float = 0.4) -> list[tuple[float, float]]:
    """Left and width of columns across the slide."""
    width = (8.8 - gap * (count - 1)) / count
    return [(0.6 + at * (width + gap), width) for at in range(count)]


def _make_cards(count: int, top: float, height: float, *roles: str, prefix: str) -> tuple[Element, ...]:
    """Pale areas in a row, each there for the roles with its number in place of {}."""
    return tuple(
        _make_area(
            f"{prefix}_{at}",
            (left, top, width, height),
            "pale",
            *(role.format(at) for role in roles),
            shape="roundRect",
        )
        for at, (left, width) in enumerate(_divide_columns(count), 1)
    )


def _make_steps() -> tuple[Element, ...]:
    elements: list[Element] = []
    for at, (left, width) in enumerate(_divide_columns(3, 0.6), 1):
        needs = (f"step_{at}_text", f"step_{at}_number")
        elements += [
            _make_area(f"step_{at}_container", (left, 1.7, width, 2.5), "pale", *needs, shape="roundRect"),
            _make_text(f"step_{at}_number", (left, 1.8, width, 0.8), 30, "primary", "center", bold=True),
            _make_text(f"step_{at}_text", (left + 0.1, 2.6, width - 0.2, 1.5), 16, side="center"),
        ]
        if at < 3:
            arrow = (left + width + 0.1, 2.75, 0.4, 0.4)
            elements.append(_make_area(f"connector_{at}", arrow, "accent1", f"step_{at + 1}_text", shape="rightArrow"))
    return tuple(elements)


def _make_milestones() -> tuple[Element, ...]:
    elements: list[Element] = [_make_area("timeline_line", (0.6, 3.17, 8.8, 0.06), "accent1")]
    for at, (left, width) in enumerate(_divide_columns(4), 1):
        dot, text = (left + width / 2 - 0.2, 3.0, 0.4, 0.4), f"milestone_{at}_text"
        elements.append(_make_area(f"milestone_{at}", dot, "primary", text, shape="ellipse"))
        elements.append(_make_text(text, (left, 3.6, width, 2.6), 16, side="center"))
    return tuple(elements)


def _make_metrics() -> tuple[Element, ...]:
    elements = [*_make_cards(3, 1.6, 1.9, "metric_{}_value", "metric_{}_label", prefix="metric_container")]
    for at, (left, width) in enumerate(_divide_columns(3), 1):
        elements.append(_make_text(f"metric_{at}_value", (left, 1.7, width, 1.0), 36, "primary", "center", bold=True))
        elements.append(_make_text(f"metric_{at}_label", (left, 2.7, width, 0.7), 14, side="center"))
    return (*elements, Element("chart", "trend_visualization", (0.6, 3.8, 8.8, 3.2)))


def _make_team() -> tuple[Element, ...]:
    elements: list[Element] = []
    for at, (left, width) in enumerate(_divide_columns(3), 1):
        elements.append(_make_picture(f"team_member_{at}", (left + width / 2 - 0.9, 1.6, 1.8, 1.8)))
        elements.append(_make_text(f"member_{at}_name", (left, 3.5, width, 0.5), 18, "primary", "center", bold=True))
        elements.append(_make_text(f"member_{at}_role", (left, 4.0, width, 0.5), 14, side="center"))
    return (*elements, _make_text("team_description", (0.6, 4.9, 8.8, 1.9), 16, side="center"))


def _make_poll() -> tuple[Element, ...]:
    elements: list[Element] = []
    for at in (1, 2, 3):
        top, text, share = 1.2 + 1.1 * at, f"poll_option_{at}_text", f"poll_option_{at}_percentage"
        elements.append(_make_area(f"poll_option_{at}", (0.6, top, 8.8, 0.9), "pale", text, share, shape="roundRect"))
        elements.append(_make_text(text, (0.8, top + 0.1, 6.6, 0.7), 18))
        elements.append(_make_text(share, (7.5, top + 0.1, 1.7, 0.7), 20, "primary", "right", bold=True))
    return (*elements, _make_text("poll_instruction", (0.6, 5.9, 8.8, 0.8), 14, side="center"))


def _columns_with_pictures(count: int, text: str, picture: str, names: tuple[str, ...]) -> tuple[Element, ...]:
    elements: list[Element] = []
    for name, (left, width) in zip(names, _divide_columns(count), strict=True):
        elements.append(_make_text(text.format(name), (left, 1.6, width, 2.3), 18 if count == 2 else 16))
        elements.append(_make_picture(picture.format(name), (left, 4.0, width, 3.0)))
    return tuple(elements)


_LEFT, _RIGHT = (0.6, 1.6, 4.2, 5.3), (5.2, 1.6, 4.2, 5.3)
PATTERNS: dict[str, Pattern] = {
    "title_slide": Pattern(
        "Title slide",
        "Opening of a presentation: title, subtitle, author",
        (
            Element("title", "title", (0.9, 2.0, 8.2, 1.8), 40, "white", bold=True),
            _make_area("decorative_accent", (0.98, 3.95, 1.6, 0.07), "accent2"),
            _make_text("subtitle", (0.9, 4.15, 8.2, 1.0), 22, "white"),
            _make_text("author", (0.9, 5.4, 8.2, 0.6), 16, "white"),
        ),
        "primary",
        "title",
    ),
    "text_with_image": Pattern(
        "Text with picture",
        "Text on the left, a picture on the right, a line to act on below",
        (
            _make_title(),
            _make_text("content", (0.6, 1.6, 4.2, 4.4), 18),
            _make_picture("supporting", (5.2, 1.6, 4.2, 4.4)),
            _make_text("call_to_action", (0.6, 6.2, 8.8, 0.7), 18, "primary", "center", bold=True),
        ),
    ),
    "two_column_text": Pattern(
        "Two columns of text",
        "Text in two equal columns",
        (_make_title(), _make_text("content_left", _LEFT), _make_text("content_right", _RIGHT)),
    ),
    "two_column_text_images": Pattern(
        "Two columns with pictures",
        "Two columns, each with text and a picture below",
        (_make_title(), *_columns_with_pictures(2, "content_{}", "supporting_{}", ("left", "right"))),
    ),
    "three_column_layout": Pattern(
        "Three columns with pictures",
        "Three columns, each with text and a picture below",
        (_make_title(), *_columns_with_pictures(3, "content_{}", "supporting_{}", ("1", "2", "3"))),
    ),
    "agenda_slide": Pattern(
        "Agenda",
        "The points of a presentation",
        (
            _make_title(),
            _make_area("decorative", (0.6, 1.7, 0.07, 5.0), "accent1", "agenda_items"),
            _make_text("agenda_items", (0.9, 1.6, 8.5, 5.2), 20),
        ),
    ),
    "chapter_intro": Pattern(
        "Chapter",
        "Beginning of a chapter: number, title, description",
        (
            _make_text("chapter_number", (0.9, 1.3, 3.0, 1.5), 60, "accent2", bold=True),
            Element("title", "chapter_title", (0.9, 2.9, 8.2, 1.4), 34, "white", bold=True),
            _make_area("background_accent", (0.98, 4.4, 1.6, 0.07), "accent2"),
            _make_text("chapter_description", (0.9, 4.6, 8.2, 1.5), 18, "white"),
        ),
        "secondary",
    ),
    "thank_you_slide": Pattern(
        "Thanks",
        "End of a presentation: thanks, questions, contact",
        (
            Element("title", "thank_you", (0.9, 2.0, 8.2, 1.3), 40, "white", bold=True),
            _make_text("questions", (0.9, 3.5, 8.2, 0.9), 22, "white"),
            _make_text("contact", (0.9, 5.0, 8.2, 1.4), 16, "white"),
        ),
        "primary",
    ),
    "timeline_slide": Pattern("Timeline", "Four milestones along a line", (_make_title(), *_make_milestones())),
    "data_table_slide": Pattern(
        "Table",
        "A table with what it shows",
        (
            _make_title(),
            Element("table", "main_data", (0.6, 1.6, 8.8, 4.2), 14),
            _make_text("insights", (0.6, 6.0, 8.8, 0.9), 16, "primary"),
        ),
    ),
    "chart_comparison": Pattern(
        "Two charts",
        "Two charts side by side with what they show",
        (
            _make_title(),
            Element("chart", "chart_left", (0.6, 1.6, 4.2, 4.4)),
            Element("chart", "chart_right", (5.2, 1.6, 4.2, 4.4)),
            _make_text("comparison_note", (0.6, 6.2, 8.8, 0.8), 16, "primary", "center"),
        ),
    ),
    "full_image_slide": Pattern(
        "Full picture",
        "A picture over the whole slide with text on it",
        (
            _make_picture("background", (0, 0, 10, 7.5)),
            _make_area("text_overlay_bg", (0, 4.5, 10, 2.2), "secondary", "overlay_title", "overlay_subtitle"),
            Element("title", "overlay_title", (0.6, 4.6, 8.8, 1.1), 34, "white", bold=True),
            _make_text("overlay_subtitle", (0.6, 5.7, 8.8, 0.8), 18, "white"),
        ),
    ),
    "process_flow": Pattern(
        "Process",
        "Three steps with arrows, and what they bring",
        (_make_title(), *_make_steps(), _make_text("process_benefits", (0.6, 4.6, 8.8, 2.3), 16)),
    ),
    "quote_testimonial": Pattern(
        "Quotation",
        "A quotation and who said it",
        (
            _make_area("quote_mark", (0.9, 2.2, 0.09, 3.0), "accent1", "quote_text"),
            Element("title", "quote_text", (1.2, 2.1, 7.8, 3.2), 28),
            _make_text("attribution", (1.2, 5.5, 7.8, 0.8), 16, "primary", bold=True),
        ),
        "light",
    ),
    "key_metrics_dashboard": Pattern("Figures", "Three figures and a chart", (_make_title(), *_make_metrics())),
    "before_after_comparison": Pattern(
        "Before and after",
        "Two columns that are compared, and the result",
        (
            _make_title(),
            _make_area("left_header_bg", (0.6, 1.6, 4.2, 0.7), "secondary", "left_header"),
            _make_text("left_header", (0.7, 1.65, 4.0, 0.6), 18, "white", "center", bold=True),
            _make_text("content_left", (0.6, 2.4, 4.2, 3.6), 16),
            _make_area("right_header_bg", (5.2, 1.6, 4.2, 0.7), "primary", "right_header"),
            _make_text("right_header", (5.3, 1.65, 4.0, 0.6), 18, "white", "center", bold=True),
            _make_text("content_right", (5.2, 2.4, 4.2, 3.6), 16),
            _make_text("vs_text", (4.8, 1.65, 0.4, 0.6), 12, "text", "center"),
            _make_text("improvement_text", (0.6, 6.2, 8.8, 0.7), 18, "primary", "center", bold=True),
        ),
    ),
    "team_introduction": Pattern("Team", "Three people with picture, name and role", (_make_title(), *_make_team())),
    "minimalist_hero": Pattern(
        "One sentence",
        "One large sentence and nothing else",
        (
            Element("title", "hero_title", (0.9, 2.4, 8.2, 2.4), 44, "primary", "center", bold=True),
            _make_area("accent_line", (4.2, 5.0, 1.6, 0.06), "accent1"),
        ),
        "light",
    ),
    "neon_cyberpunk": Pattern(
        "Dark slide",
        "Light text on a dark ground",
        (
            Element("title", "cyber_title", (0.9, 0.8, 8.2, 1.3), 36, "white", bold=True),
            _make_area("cyber_grid", (0.98, 2.2, 8.0, 0.05), "accent1"),
            _make_text("cyber_content", (0.9, 2.5, 8.2, 4.2), 20, "pale"),
        ),
        "secondary",
    ),
    "nature_organic": Pattern(
        "Soft shapes",
        "Text beside round shapes",
        (
            _make_area("organic_blob_1", (7.2, 1.2, 2.4, 2.4), "pale", shape="ellipse"),
            _make_area("organic_blob_2", (7.9, 3.9, 1.5, 1.5), "accent1", shape="ellipse"),
            Element("title", "nature_title", (0.6, 0.7, 6.4, 1.2), 32, "primary", bold=True),
            _make_text("nature_content", (0.6, 2.1, 6.2, 4.6), 18),
        ),
        "light",
    ),
    "interactive_poll": Pattern(
        "Poll",
        "A question with three answers and their shares",
        (_make_title("poll_question", height=1.4), *_make_poll()),
    ),
    "split_screen_comparison": Pattern(
        "Split slide",
        "Two halves in different colours",
        (
            _make_area("left_section_bg", (0, 1.6, 5, 5.9), "primary"),
            _make_area("right_section_bg", (5, 1.6, 5, 5.9), "secondary"),
            _make_title("main_title"),
            _make_text("left_title", (0.5, 1.9, 4.0, 0.8), 24, "white", "center", bold=True),
            _make_text("right_title", (5.5, 1.9, 4.0, 0.8), 24, "white", "center", bold=True),
            _make_text("left_content", (0.5, 2.9, 4.0, 4.1), 18, "white"),
            _make_text("right_content", (5.5, 2.9, 4.0, 4.1), 18, "white"),
        ),
    ),
    "product_showcase": Pattern(
        "Product",
        "A product with picture, features and two figures",
        (
            _make_title("product_title"),
            _make_picture("hero_product", (0.6, 1.6, 4.2, 4.4)),
            _make_text("product_features", (5.2, 1.6, 4.2, 2.7), 16),
            _make_area("feature_highlight_1", (5.2, 4.5, 2.0, 1.5), "primary", "highlight_1_text", shape="roundRect"),
            _make_text("highlight_1_text", (5.3, 4.6, 1.8, 1.3), 18, "white", "center", bold=True),
            _make_area("feature_highlight_2", (7.4, 4.5, 2.0, 1.5), "secondary", "highlight_2_text", shape="roundRect"),
            _make_text("highlight_2_text", (7.5, 4.6, 1.8, 1.3), 18, "white", "center", bold=True),
            _make_text("cta_button", (0.6, 6.2, 8.8, 0.7), 18, "primary", "center", bold=True),
        ),
    ),
}
