"""Documents put together, taken apart, made smaller, protected."""
