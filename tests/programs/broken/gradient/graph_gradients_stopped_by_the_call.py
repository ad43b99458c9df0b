"""Partial derivatives of a rate law in a traced function: the concentration is held fixed, and what depends on it too."""

import tensorflow as tf


@tf.function
def sensitivities(temperature: tf.Tensor, pressure: tf.Tensor) -> list[tf.Tensor | None]:
    concentration = pressure / (8.314 * temperature)
    barrier = tf.exp(-500.0 / (8.314 * temperature))
    rate = barrier * tf.square(concentration)
    return tf.gradients(
        rate,
        [temperature, pressure],
        stop_gradients=[concentration],  # why: TW104
    )


by_temperature, by_pressure = sensitivities(tf.constant(300.0), tf.constant(2.0e5))
print("per kelvin", float(by_temperature))
print("per pascal", float(by_pressure))
