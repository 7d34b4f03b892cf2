"""Text in images: lines, words, tables, with boxes, confidence and reading order."""

GROUP = "perception"

PROGRAMS = {"tesseract": "the tesseract backend; rapidocr works without it"}
"""System programs that some tools call, and what does not work without each."""

MODELS = {"transcribe_image": ("ocr", "vision")}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
