import asyncio
import os
import signal
import time
import traceback

print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), signal.set_wakeup_fd(-1))


def heard(number, frame):
    print("heard", signal.Signals(number).name, frame.f_code.co_name, "".join(traceback.format_stack(frame)))


print(signal.signal(signal.SIGTERM, heard), signal.signal(signal.SIGUSR1, heard))
os.kill(os.getpid(), signal.SIGTERM)
os.kill(os.getpid(), signal.SIGUSR1)
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
except KeyboardInterrupt:
    traceback.print_exc()


def late(number, frame):
    raise TimeoutError("too late")


signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    time.sleep(5)
except TimeoutError:
    traceback.print_exc()


async def main():
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR2, done.set)
    os.kill(os.getpid(), signal.SIGUSR2)
    await done.wait()
    print("done")


asyncio.run(main())
print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGUSR1) is heard)
