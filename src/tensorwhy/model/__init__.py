"""Frozen values that the stages hand to each other. This package imports nothing of tensorwhy's other rooms."""
