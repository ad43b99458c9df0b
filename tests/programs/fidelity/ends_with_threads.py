import atexit
import sys
import threading
import time

atexit.register(print, "at exit", flush=True)


def late():
    time.sleep(0.2)
    print("the thread ends", threading.main_thread().is_alive(), flush=True)


def leaves():
    sys.exit("nobody reads this")


def forever():
    while True:
        time.sleep(0.01)


threading.Thread(target=late).start()
leaving = threading.Thread(target=leaves)
leaving.start()
leaving.join()
threading.Thread(target=forever, daemon=True).start()
print([type(each).__name__ for each in threading.enumerate()][:1], threading.active_count(), flush=True)
sys.exit(7)
