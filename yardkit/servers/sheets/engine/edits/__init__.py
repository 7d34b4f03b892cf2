"""Changes of a workbook: cells written, operations on ranges, sheets, data files in and out."""
