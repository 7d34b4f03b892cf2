"""Markdown for several servers: headings, lists, formulas and inline HTML, and the page made of it."""
