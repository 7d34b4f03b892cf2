"""The screen of a shop's back office while somebody works in it: an order, its total, dialogs, a cursor.

Places are pixels of a screen of `SIZE_PX`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.state_init.rendering.ink import Box, Face, get_pen, new_image, text_width, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_PX = (960, 540)
TOTAL: Box = (770, 372, 916, 404)
"""Where the amount of the total stands."""
ACCOUNT: Box = (646, 11, 950, 39)
"""Where the account is named."""
VOUCHER, SAVE, DIALOG_BUTTON = (300, 452), (850, 452), (566, 330)
"""Where the buttons are that somebody goes to."""
_PAGE, _CARD, _INK, _PALE, _ACCENT = (243, 244, 247), (255, 255, 255), (30, 34, 44), (112, 118, 132), (22, 108, 168)
_TEXT, _BOLD, _HEAD = (
    Face("Liberation Sans", 18),
    Face("Liberation Sans", 18, bold=True),
    Face("Liberation Sans", 26, bold=True),
)
_SMALL, _LARGE = Face("Liberation Sans", 15), Face("Liberation Sans", 24, bold=True)


@dataclass(frozen=True)
class Order:
    """An order: its number, its lines (what, how many, amount), and who is logged in."""

    number: str
    lines: Sequence[tuple[str, str, str]]
    account: str


@dataclass(frozen=True)
class Dialog:
    """A dialog: its title, its words, its buttons; the last one is the coloured one."""

    title: str
    words: Sequence[str]
    buttons: Sequence[str]


def order_screen(order: Order, subtotal: str, discount: str, total: str) -> "Image":
    """The screen without a dialog and without the cursor."""
    screen = new_image(*SIZE_PX, _PAGE)
    draw = get_pen(screen)
    draw.rectangle((0, 0, 960, 50), fill=(28, 38, 58))
    write_line(draw, (24, 14), "Lindt & Sons back office", _BOLD, (240, 242, 248))
    write_line(draw, (942, 16), order.account, _SMALL, (214, 222, 236), "right")
    for at, name in enumerate(("Orders", "Customers", "Vouchers", "Stock", "Reports")):
        if not at:
            draw.rectangle((0, 64, 150, 102), fill=(222, 232, 242))
        write_line(draw, (24, 73 + 44 * at), name, _BOLD if not at else _TEXT, _ACCENT if not at else _PALE)
    draw.rounded_rectangle((174, 68, 936, 424), 8, fill=_CARD, outline=(222, 225, 232))
    write_line(draw, (198, 86), f"Order {order.number}", _HEAD, _INK)
    write_line(draw, (198, 136), "Article", _SMALL, _PALE)
    for x, name in ((640, "Pieces"), (912, "Amount")):
        write_line(draw, (x, 136), name, _SMALL, _PALE, "right")
    for at, (what, pieces, amount) in enumerate(order.lines):
        y = 164 + 38 * at
        draw.line((198, y - 6, 912, y - 6), fill=(230, 232, 238))
        write_line(draw, (198, y), what, _TEXT, _INK)
        write_line(draw, (640, y), pieces, _TEXT, _INK, "right")
        write_line(draw, (912, y), amount, _TEXT, _INK, "right")
    for y, name, amount, face in (
        (300, "Subtotal", subtotal, _TEXT),
        (334, "Voucher", discount, _TEXT),
        (374, "Total", total, _LARGE),
    ):
        write_line(draw, (600, y), name, face, _INK)
        write_line(draw, (912, y), amount, face, _INK, "right")
    _draw_button(screen, VOUCHER, "Enter voucher", filled=False)
    _draw_button(screen, SAVE, "Save order", filled=True)
    return screen


def with_dialog(screen: "Image", dialog: Dialog) -> "Image":
    """The screen, darker, below a dialog."""
    from PIL import Image

    dimmed_screen = Image.blend(screen, new_image(*SIZE_PX, (20, 24, 32)), 0.45)
    draw = get_pen(dimmed_screen)
    draw.rounded_rectangle((310, 170, 650, 362), 10, fill=_CARD)
    write_line(draw, (334, 190), dialog.title, Face("Liberation Sans", 21, bold=True), _INK)
    for at, words in enumerate(dialog.words):
        write_line(draw, (334, 232 + 26 * at), words, _TEXT, _PALE)
    for at, name in enumerate(reversed(dialog.buttons)):
        _draw_button(dimmed_screen, (DIALOG_BUTTON[0] - 130 * at, DIALOG_BUTTON[1]), name, filled=not at, wide=120)
    return dimmed_screen


def with_cursor(screen: "Image", place: tuple[float, float]) -> "Image":
    """The screen with an arrow whose tip is at a place."""
    screen_copy = screen.copy()
    x, y = place
    arrow = [(0, 0), (0, 19), (4.5, 15), (8, 22.5), (11, 21), (7.8, 14), (13.5, 14)]
    get_pen(screen_copy).polygon(
        [(x + right, y + down) for right, down in arrow], fill=(255, 255, 255), outline=(10, 10, 12)
    )
    return screen_copy


Step = tuple[int, "Image", tuple[int, int]]
"""For how many frames which screen is seen, and where the cursor is at their end."""


def play_steps(steps: Sequence[Step]) -> "Iterator[Image]":
    """The frames of a recording of these steps."""
    x, y = 520.0, 300.0
    for lasts, screen, (to_x, to_y) in steps:
        for at in range(1, lasts + 1):
            share = min(1.0, 1.4 * at / lasts)
            yield with_cursor(screen, (x + (to_x - x) * share, y + (to_y - y) * share))
        x, y = to_x, to_y


def _draw_button(screen: "Image", middle: tuple[int, int], name: str, *, filled: bool, wide: int = 160) -> None:
    draw = get_pen(screen)
    left, top = middle[0] - wide // 2, middle[1] - 17
    ink = (255, 255, 255) if filled else _ACCENT
    draw.rounded_rectangle((left, top, left + wide, top + 34), 6, fill=_ACCENT if filled else _CARD, outline=_ACCENT)
    write_line(draw, (middle[0] - text_width(name, _SMALL) / 2, top + 8), name, _SMALL, ink)
