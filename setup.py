"""The one thing that pyproject.toml cannot say: a part that is compiled where there is a compiler, and may be missing.

TENSORWHY_PURE=1 leaves it out: then the wheel is for every platform.
"""

import os

from setuptools import Extension, setup

COMPILED = Extension("tensorwhy.recording._fast", ["src/tensorwhy/recording/_fast.c"], optional=True)

setup(ext_modules=[] if os.environ.get("TENSORWHY_PURE") else [COMPILED])
