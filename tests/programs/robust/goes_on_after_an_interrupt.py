import signal

from small import train

try:
    train(during=lambda step: signal.raise_signal(signal.SIGINT) if step == 1 else None)
except KeyboardInterrupt:
    print("interrupted")
print(train())
