"""Experiments: undo what an explanation blames, and see whether what was lost comes back."""
