"""Page layout: regions in reading order, tables with their cells, and the page's orientation."""

GROUP = "perception"
