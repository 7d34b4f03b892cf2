"""Code shared by the servers for Office files: packages that keep untouched parts unchanged, relations, safe XML."""
