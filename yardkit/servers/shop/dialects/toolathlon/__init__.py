"""The shop in the dialect of Toolathlon: the 55 tools of its woocommerce server, with the objects of WooCommerce's REST
API, version 3, as indented JSON.
"""

from yardkit.servers.shop.dialects.toolathlon import orders, people, products, reports, settings
from yardkit.servers.shop.dialects.toolathlon.app import mcp

__all__ = ["mcp", "orders", "people", "products", "reports", "settings"]
