"""The text of paragraphs as a reader sees it: shown, written with markup, reworded, searched."""
