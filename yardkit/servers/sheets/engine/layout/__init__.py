"""How a sheet looks: rows and columns, formats, merged cells, frozen panes."""
