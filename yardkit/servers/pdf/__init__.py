"""Read and search PDF files, fill forms, assemble, stamp, redact and protect."""

GROUP = "office"
