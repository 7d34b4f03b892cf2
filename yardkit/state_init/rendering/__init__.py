"""Realistic pictures for seeded worlds: paper, screens, scenes, formulas and charts, and the way a camera sees them.

Every function draws from its arguments and a ``random.Random`` alone, with the bundled fonts: the same on every
machine. Sizes and places are pixels, boxes ``(x_min, y_min, x_max, y_max)``, colours ``(red, green, blue)`` to 255.
"""

from yardkit.state_init.rendering.charts import ChartStyle, bar_chart, line_chart, pie_chart
from yardkit.state_init.rendering.formulas import draw_formulas
from yardkit.state_init.rendering.ink import encode_image, save_image
from yardkit.state_init.rendering.invoices import Invoice, draw_invoice
from yardkit.state_init.rendering.menus import MenuItem, MenuSection, draw_menu
from yardkit.state_init.rendering.notes import draw_label, handwritten_note, street_sign
from yardkit.state_init.rendering.photo import photograph_picture
from yardkit.state_init.rendering.receipts import Receipt, ReceiptLine, draw_receipt
from yardkit.state_init.rendering.scenes import Bottle, Scene, bottle_scene
from yardkit.state_init.rendering.screens import Page, Show, circle_by_hand, schedule_page, web_page
from yardkit.state_init.rendering.tables import draw_table

__all__ = [
    "Bottle",
    "ChartStyle",
    "Invoice",
    "MenuItem",
    "MenuSection",
    "Page",
    "Receipt",
    "ReceiptLine",
    "Scene",
    "Show",
    "bar_chart",
    "bottle_scene",
    "circle_by_hand",
    "draw_formulas",
    "draw_invoice",
    "draw_label",
    "draw_menu",
    "draw_receipt",
    "draw_table",
    "encode_image",
    "handwritten_note",
    "line_chart",
    "photograph_picture",
    "pie_chart",
    "save_image",
    "schedule_page",
    "street_sign",
    "web_page",
]
