import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
)


def sensitivity(x):
    score = model(x)
    return tf.gradients(score, x)[0]  # why: TW407


print(sensitivity(tf.random.normal([2, 3])))
