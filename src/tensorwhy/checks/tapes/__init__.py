"""Tapes, what they are asked, and where the way to a target ends."""
