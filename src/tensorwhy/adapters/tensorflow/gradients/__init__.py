"""What the installed TensorFlow says about the gradients of its ops: which inputs get None."""
