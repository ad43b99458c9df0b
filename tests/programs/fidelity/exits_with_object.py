import sys

sys.exit(["a", "list"])
