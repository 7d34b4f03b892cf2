"""What servers share: the surface of a tool, dialects, Office packages, pages and pictures."""
