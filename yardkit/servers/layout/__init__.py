"""What stands where on a page: regions in reading order, tables with their cells, and how a page is turned."""

GROUP = "perception"
