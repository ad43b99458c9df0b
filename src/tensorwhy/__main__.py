"""`python -m tensorwhy` is the `tensorwhy` command."""

import os
import sys

if __name__ == "__main__":
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        # Python put the working directory first: a `click.py` there is the user's, and not what we import.
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

    from tensorwhy.integrations.cli.main import main

    sys.exit(main())
