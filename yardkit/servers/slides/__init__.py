"""Work on PowerPoint presentations (.pptx): shapes, text, charts, notes, checks of the layout."""

GROUP = "office"
