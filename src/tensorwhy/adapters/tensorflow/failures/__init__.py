"""What the probes of failures share: frames, the user's calls, live TensorArrays, failed nodes of graphs."""
