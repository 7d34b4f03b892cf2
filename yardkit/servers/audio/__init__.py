"""Sounds cut, joined, mixed, faded, levelled, pitched, cleaned, converted, drawn, measured and compared."""

GROUP = "media"
