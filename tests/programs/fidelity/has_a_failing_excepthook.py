import sys


def show(kind, value, tb):
    raise TypeError("the hook failed too")


sys.excepthook = show
raise LookupError("the original")
