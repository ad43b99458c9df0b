import atexit
import sys
import traceback


def last():
    print(sys.last_type, [frame.name for frame in traceback.extract_tb(sys.last_traceback)])


atexit.register(last)


def fail():
    raise LookupError


fail()
