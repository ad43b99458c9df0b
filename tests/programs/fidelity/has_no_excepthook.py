import atexit
import sys

atexit.register(lambda: print(hasattr(sys, "excepthook")))
del sys.excepthook
raise LookupError("nobody reports it")
