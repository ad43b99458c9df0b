"""Programs as concrete syntax: nodes with all of their text, made of what Python's own parser says."""
