"""What a Keras training asks gradients for, what its optimizer and its layers know of, and what is never trained."""
