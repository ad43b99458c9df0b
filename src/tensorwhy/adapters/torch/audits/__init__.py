"""What was lost in silence, read at the end of a run."""
