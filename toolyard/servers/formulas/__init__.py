"""Say in one line what the server formulas does."""

GROUP = "office"
