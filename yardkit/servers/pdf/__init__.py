"""Work on PDF files: read, search, fill forms, assemble, stamp, redact, protect."""

GROUP = "office"
