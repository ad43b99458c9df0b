import gc

import tensorflow as tf

activations = []


def run_once(x):
    @tf.function
    def forward(value):
        hidden = tf.nn.relu(value * 2.0)
        activations.append(hidden)  # why: TW403
        return hidden

    return forward(x)


print(run_once(tf.constant([1.0, -1.0])).numpy())
gc.collect()
if activations[0]:
    print("active")
