import sys


def show(kind, value, tb):
    print("leaving")
    sys.exit(9)


sys.excepthook = show
raise LookupError("the original")
