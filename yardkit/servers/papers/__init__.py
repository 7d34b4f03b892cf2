"""Finds and reads preprints of an archive: metadata, LaTeX sources by section, citations, authors, BibTeX."""

GROUP = "apps"
