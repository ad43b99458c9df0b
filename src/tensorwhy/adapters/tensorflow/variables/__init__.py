"""How variables fare: which gradients optimizers were given, which of them are zero, and what ever changed."""
