"""Source edits: what a reason would change in the user's files. Nothing here writes a file."""
