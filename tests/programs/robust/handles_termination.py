import os
import signal
import sys

from small import train


def leave(number, frame):
    print("saving", flush=True)
    sys.exit(3)


signal.signal(signal.SIGTERM, leave)
train(during=lambda step: os.kill(os.getpid(), signal.SIGTERM) if step == 1 else None)
