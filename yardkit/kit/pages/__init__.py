"""What several servers share to turn files into pages: LibreOffice, a browser, pictures of PDF pages, fonts."""
