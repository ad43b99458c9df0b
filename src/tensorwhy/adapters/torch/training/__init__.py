"""What is seen of a training: optimizers and their steps, gradients between steps, data, and state that is loaded."""
