"""`python -m tensorwhy` is the `tensorwhy` command."""

import sys

from tensorwhy.integrations.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
