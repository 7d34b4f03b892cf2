"""What a document says and holds: text, tables, lists, differences. Nothing here changes a file."""
