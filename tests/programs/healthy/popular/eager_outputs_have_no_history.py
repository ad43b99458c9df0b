# An eager output has no Keras history, whatever the layer does with indices; nothing is lost by that.
import tensorflow as tf


class FirstRow(tf.keras.layers.Layer):
    def __init__(self, validate, **kwargs):
        super().__init__(**kwargs)
        self.validate = validate

    def call(self, inputs):
        return tf.gather(inputs, tf.constant([0]), validate_indices=self.validate)


values = tf.reshape(tf.range(50.0), (5, 10))
for validate in (True, False):
    picked = FirstRow(validate)(values)
    print(validate, hasattr(values, "_keras_history"), hasattr(picked, "_keras_history"), picked.shape)
