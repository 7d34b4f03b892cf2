"""Rendering files as pages for several servers: LibreOffice, a browser, pictures of PDF pages, fonts."""
