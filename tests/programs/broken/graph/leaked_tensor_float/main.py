import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
history = {"loss": []}


@tf.function
def step(x):
    value = tf.reduce_sum(model(x) ** 2)
    log("loss", value)
    return value


def log(key, value):
    history[key].append(value)  # why: TW403


for _ in range(2):
    step(tf.ones([2, 2]))
print("last", float(history["loss"][-1]))
