"""What Keras 2 and Keras 3 share: packages, nodes, stamps and the readings of a failed call. Imports no framework."""
