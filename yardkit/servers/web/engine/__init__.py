"""Sites of a world, their pages, and search over them."""
