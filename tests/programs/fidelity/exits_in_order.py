import atexit
import sys
import threading
import time


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("deleted", self.name)


def late():
    time.sleep(0.1)
    print("thread done")


kept = Noisy("global")
atexit.register(print, "registered first")
atexit.register(print, "registered last")
threading.Thread(target=late).start()
print("main done")
sys.stderr.write("main done\n")
