import io
import pdb
import sys


def buggy(x):
    y = x + 1
    return y


debugger = pdb.Pdb(stdin=io.StringIO("step\nstep\nnext\nwhere\np x, y\nup\ncontinue\n"), stdout=sys.stdout, nosigint=True)
debugger.use_rawinput = False
print(debugger.runcall(buggy, 1))
try:
    buggy("1")
except TypeError as error:
    debugger = pdb.Pdb(stdin=io.StringIO("where\nup\nquit\n"), stdout=sys.stdout, nosigint=True)
    debugger.use_rawinput = False
    debugger.reset()
    debugger.interaction(None, error.__traceback__)
