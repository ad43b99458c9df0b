"""Each replica updates in a traced function of its own, which a decorator makes."""
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    kernel = tf.Variable(tf.ones((3, 1)))
    optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function(autograph=False)
def learn(rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((rows @ kernel) ** 2)
    pairs = list(zip(tape.gradient(loss, [kernel]), [kernel]))
    optimizer.apply_gradients(pairs)  # why: TW701
    return loss


def for_each(rows):
    return learn(rows)


@tf.function
def step(rows):
    return strategy.run(for_each, args=(rows,))


print(step(tf.ones((4, 3))))
