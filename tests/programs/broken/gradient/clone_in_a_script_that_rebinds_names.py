"""A notebook as a script: the name `model` is bound anew in several cells, and one cell looks at a clone's prediction.

That the name stood for other models before, and does so again later, has nothing to do with it: the clone has weights
of its own, and the gradient is asked for with respect to those of the model that it was made from.
"""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x = tf.random.normal((12, 4))
y = tf.reduce_sum(x, axis=1, keepdims=True)


def make(units):
    return tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])


# %% a first try
model = make(2)
print("first", model(x).shape)

# %% wider
model = make(8)
model.compile("sgd", "mse")
model.fit(x, y, epochs=1, verbose=0)

# %% which weights matter most?
with tf.GradientTape() as tape:
    prediction = tf.keras.models.clone_model(model)(x)  # why: TW117
    loss = tf.reduce_mean(tf.square(prediction - y))
gradients = tape.gradient(loss, model.trainable_variables)
print([gradient is None for gradient in gradients])

# %% once more
model = make(16)
model.compile("sgd", "mse")
model.fit(x, y, epochs=1, verbose=0)
