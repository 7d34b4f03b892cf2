"""The model room: where a server finds the models that work for it."""
