"""What expressions are to Keras: layers, models, symbolic tensors."""
