"""A step that is executed again, forward and backward, with all of its numbers: recorded or traced."""
