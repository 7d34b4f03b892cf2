"""The file and its pages: opened and saved, page expressions, bookmarks, rights, pictures of pages."""
