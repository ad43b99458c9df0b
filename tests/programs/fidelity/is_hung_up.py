import os
import signal
import time

print("before", flush=True)
os.kill(os.getpid(), signal.SIGHUP)
time.sleep(20)
