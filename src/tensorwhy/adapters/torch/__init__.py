"""PyTorch: what its functions, modules and optimizers do, as neutral facts."""
