"""Preprints of an archive: found by queries, read by section, followed along citations."""
