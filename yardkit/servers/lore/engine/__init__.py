"""The hidden store of documents, and their pictures."""
