import os
import signal
import time

from small import train


def end(step):
    if step == 2:
        print("ending", flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)


train(during=end)
