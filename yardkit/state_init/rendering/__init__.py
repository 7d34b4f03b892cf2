"""Realistic pictures for seeded worlds: paper, screens, scenes, formulas and charts, and the way a camera sees them.

Every function draws from its arguments and a ``random.Random`` alone, with the bundled fonts: the same on every
machine. Sizes and places are pixels, boxes ``(x_min, y_min, x_max, y_max)``, colours ``(red, green, blue)`` to 255.
"""

from yardkit.state_init.rendering.charts import ChartStyle, bar_chart, line_chart, pie_chart
from yardkit.state_init.rendering.formulas import formula
from yardkit.state_init.rendering.ink import encode, save_image
from yardkit.state_init.rendering.invoices import Invoice, invoice
from yardkit.state_init.rendering.menus import MenuItem, MenuSection, menu
from yardkit.state_init.rendering.notes import handwritten_note, label, street_sign
from yardkit.state_init.rendering.photo import photograph
from yardkit.state_init.rendering.receipts import Receipt, ReceiptLine, receipt
from yardkit.state_init.rendering.scenes import Bottle, Scene, bottle_scene
from yardkit.state_init.rendering.screens import Page, Show, circle_by_hand, schedule_page, web_page
from yardkit.state_init.rendering.tables import table

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
    "encode",
    "formula",
    "handwritten_note",
    "invoice",
    "label",
    "line_chart",
    "menu",
    "photograph",
    "pie_chart",
    "receipt",
    "save_image",
    "schedule_page",
    "street_sign",
    "table",
    "web_page",
]
