# A Dense layer is called inside a Lambda's function, in a training loop of one's own.
import numpy as np
import tensorflow as tf
from tensorflow import keras

projection = keras.layers.Dense(8)  # why: TW601
inputs = keras.Input((4,))
hidden = keras.layers.Lambda(lambda x: tf.nn.relu(projection(x)), output_shape=(8,))(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
optimizer = keras.optimizers.SGD(0.01)

features = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
