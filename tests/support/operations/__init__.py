"""Calls of every differentiable operation of TensorFlow, by kind."""
