"""What replaces TensorFlow's entry points and writes the journal, and what takes the hooks out again."""
