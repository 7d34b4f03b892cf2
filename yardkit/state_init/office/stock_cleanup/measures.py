"""Units of quantities as people write them."""

from collections.abc import Mapping

UNITS: Mapping[str, tuple[str, float]] = {
    "kg": ("kg", 1), "g": ("kg", 0.001), "t": ("kg", 1000), "kilo": ("kg", 1), "lb": ("kg", 0.4536),
    "l": ("l", 1), "ltr": ("l", 1), "ml": ("l", 0.001), "hl": ("l", 100),
    "m": ("m", 1), "cm": ("m", 0.01), "mm": ("m", 0.001), "ft": ("m", 0.3048),
    "pcs": ("pcs", 1), "pc": ("pcs", 1), "stk": ("pcs", 1), "doz": ("pcs", 12), "pair": ("pcs", 2),
}  # fmt: skip
"""Base unit and factor of each unit as it is written."""
