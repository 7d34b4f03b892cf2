"""See pages of office files, web pages and pictures, and turn them into PDF."""
