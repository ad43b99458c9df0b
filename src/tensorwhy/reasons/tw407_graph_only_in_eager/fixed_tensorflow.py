"""The same regression in TensorFlow 2: a function with an argument."""

import numpy as np
import tensorflow as tf

data = np.array([[1.0], [2.0], [3.0]], "float32")

weight = tf.Variable([[0.5]])


@tf.function
def predict(x):
    return tf.matmul(x, weight)


prediction = predict(data)
print(prediction.numpy())
np.testing.assert_allclose(prediction.numpy(), 0.5 * data)
