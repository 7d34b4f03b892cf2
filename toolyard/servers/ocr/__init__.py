"""Text of images: lines, words, tables, with boxes, confidence and reading order."""
