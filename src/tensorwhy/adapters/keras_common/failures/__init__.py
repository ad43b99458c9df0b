"""Reads failed calls of Keras: what was given to what, by whom, and what it should have been."""
