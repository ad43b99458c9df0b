"""What the text of a file says of itself: its scopes, its names, its calls."""
