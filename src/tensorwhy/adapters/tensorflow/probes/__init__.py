"""What an exception of TensorFlow shows while its frames and objects are alive. One module per kind of failure."""
