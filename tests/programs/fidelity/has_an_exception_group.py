import sys

if sys.version_info >= (3, 11):
    raise ExceptionGroup("several", [ValueError(1), TypeError(2)])
