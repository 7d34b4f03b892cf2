"""Several documents: merged, merged with data, compared."""
