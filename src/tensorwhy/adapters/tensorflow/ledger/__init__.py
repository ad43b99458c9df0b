"""One row per trainable variable: each module reads the links of one kind, and `filled` tells what broke first."""
