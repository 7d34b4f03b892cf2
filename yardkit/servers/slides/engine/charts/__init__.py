"""Charts with the workbook inside them."""
