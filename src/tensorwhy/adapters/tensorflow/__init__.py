"""TensorFlow: eager ops, tapes, graphs. Imported after the user's program imported it."""
