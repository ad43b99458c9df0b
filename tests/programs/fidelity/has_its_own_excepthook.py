import sys
import traceback


def show(kind, value, tb):
    print("mine:", kind.__name__, value, len(traceback.extract_tb(tb)), value.__traceback__ is tb)
    print(sys.excepthook is show, sys.last_value is value, sys.last_traceback is tb)


sys.excepthook = show


def fail():
    raise LookupError("for my own hook")


fail()
