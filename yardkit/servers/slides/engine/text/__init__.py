"""Text of shapes: paragraphs and their formats, fonts, and how much room it takes."""
