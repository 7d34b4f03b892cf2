"""What several servers share to read Markdown: headings, lists, formulas and HTML in it, and a page made of it."""
