import os
import signal
import time


def ended(number, *, until=False):
    """How a child ends that is sent a signal as soon as it is there."""
    child = os.fork()
    if not child:
        time.sleep(20)
        os._exit(1)
    os.kill(child, number)
    while not (found := os.waitpid(child, os.WNOHANG))[0]:
        if until:  # Python forgets a signal that meets a child that is still being made
            os.kill(child, number)
        time.sleep(0.001)
    return os.waitstatus_to_exitcode(found[1])


print([ended(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL) * 5])
for own in (signal.SIGTERM, signal.SIGUSR1):
    signal.signal(own, lambda number, frame: os._exit(number))
print([ended(number, until=True) for number in (signal.SIGTERM, signal.SIGUSR1) * 5])
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
