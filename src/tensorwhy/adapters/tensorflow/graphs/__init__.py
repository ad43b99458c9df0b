"""What can be read off symbolic tensors, their graphs and their holders once a program has failed."""
