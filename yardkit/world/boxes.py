"""Rectangles on pictures and pages."""

Box = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max; on pictures in pixels from the top left, on pages in points."""
