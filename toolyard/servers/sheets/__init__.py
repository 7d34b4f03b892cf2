"""Excel workbooks: inspect, read, write with computed values, sheets, formats; all else stays as it is."""
