"""Pictures: view, crop, rotate, draw on, cover, adjust, combine, compare and measure."""

GROUP = "media"
