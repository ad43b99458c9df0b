"""Starts tensorwhy with one more adapter: what stands in `site-packages/adapters` is found like those beside it."""

from __future__ import annotations

import sys
from pathlib import Path

from tensorwhy import adapters
from tensorwhy.integrations.cli.main import main

LIBRARIES = Path(__file__).parent / "site-packages"

if __name__ == "__main__":
    sys.path.append(str(LIBRARIES))
    adapters.__path__.append(str(LIBRARIES / "adapters"))
    sys.argv[0] = "tensorwhy"
    sys.exit(main())
