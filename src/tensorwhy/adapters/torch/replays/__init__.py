"""Steps that are executed once more, and what their gradients say."""
