"""Experiments on a recorded step: executed again, with a break undone, and compared with finite differences."""
