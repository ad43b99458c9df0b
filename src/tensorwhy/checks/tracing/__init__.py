"""Which functions are traced, and what has no value in them."""
