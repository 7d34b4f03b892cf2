"""The document as a package: its stories, sections, properties, protection, fields, and who writes in it."""
