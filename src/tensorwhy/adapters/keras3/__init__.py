"""Keras 3, observed through its own objects."""
