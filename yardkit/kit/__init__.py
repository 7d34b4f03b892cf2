"""Code that servers share: the surface of tools, dialects, Office packages, pages and pictures."""
