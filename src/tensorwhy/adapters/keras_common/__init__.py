"""What Keras 2 and Keras 3 share: packages, nodes, creation sites, failed calls. Imports no framework."""
