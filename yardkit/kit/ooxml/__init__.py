"""What the servers of Office files share: packages whose untouched parts stay as they are, relations, safe XML."""
