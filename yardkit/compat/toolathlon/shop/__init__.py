"""The shop in the dialect of Toolathlon: the 55 tools of its woocommerce server, with the objects of WooCommerce's REST
API, version 3, as indented JSON.
"""
