"""A team's notes: pages in Markdown, tables of pages, comments, older versions."""

GROUP = "apps"
