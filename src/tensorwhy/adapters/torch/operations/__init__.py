"""What PyTorch's functions and graphs are, whatever the program: kinds, traits, rules, and numbers of a tensor."""
