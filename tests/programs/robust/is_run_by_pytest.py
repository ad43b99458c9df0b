import os
import sys

import pytest

options = ["-qq", "--tb=line", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull]
code = pytest.main([*options, os.path.join(os.path.dirname(__file__), "small_tests.py")])
sys.exit(int(code) + 10)
