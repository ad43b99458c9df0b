# trace: unfinished
import os
import signal

import tensorflow as tf

weights = tf.Variable(1.0)
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.round(weights) ** 2
    gradient = tape.gradient(loss, weights)
    if gradient is None and step == 50:
        print("killed", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
