"""Forms: their fields, how these are drawn, filled in and made part of the page."""
