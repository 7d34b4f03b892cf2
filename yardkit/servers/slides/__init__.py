"""Edit PowerPoint presentations (.pptx): shapes, text, charts, notes, layout checks."""

GROUP = "office"
