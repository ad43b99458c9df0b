import gc
import os
import sys

print(__name__, __file__, __spec__, __package__, __doc__, __builtins__, type(__loader__).__name__)
print(sorted(globals()))
print(sys.argv, sys.path[0], sys.orig_argv[1:], os.getcwd())
print(sys.getrecursionlimit(), sys.excepthook is sys.__excepthook__, "click" in sys.modules, "rich" in sys.modules)
print(sys.modules["__main__"].__dict__ is globals())
print(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), gc.callbacks)
