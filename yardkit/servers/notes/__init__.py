"""A team's notes: Markdown pages, tables of pages, comments, earlier versions."""

GROUP = "apps"
