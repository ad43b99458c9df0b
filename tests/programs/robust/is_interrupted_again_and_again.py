# run: subprocess
import random
import signal
import threading
import time

import tensorflow as tf

weights = tf.Variable([3.0])


def step():
    with tf.GradientTape() as tape:
        loss = weights**2
    weights.assign_sub(0.01 * tape.gradient(loss, weights))


step()
main = threading.get_ident()
interrupted = foreign = 0


def interrupt():
    time.sleep(random.uniform(0.001, 0.006))
    signal.pthread_kill(main, signal.SIGINT)


for _ in range(40):
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        until = time.monotonic() + 5
        while time.monotonic() < until:
            step()
    except KeyboardInterrupt as error:
        interrupted += 1
        entry = error.__traceback__
        while entry is not None:
            foreign += "/tensorwhy/adapters/" in entry.tb_frame.f_code.co_filename
            entry = entry.tb_next
    thread.join()
print(interrupted, foreign)
