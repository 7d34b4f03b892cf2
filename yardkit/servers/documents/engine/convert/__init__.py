"""Documents to and from Markdown, HTML and other formats."""
