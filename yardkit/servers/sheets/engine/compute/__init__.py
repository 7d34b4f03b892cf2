"""Values of formulas: computed where a change reaches them, and saved with the workbook."""
