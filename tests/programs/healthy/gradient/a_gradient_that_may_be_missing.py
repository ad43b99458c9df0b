"""An image operation without a gradient is tried, and the program goes on without it."""

import tensorflow as tf

image = tf.Variable([[[0.5, 0.0, 0.0]]])
contrast = tf.Variable(0.1)


def slope(target, source, tape):
    try:
        return tape.gradient(target, source)
    except LookupError:
        return None


with tf.GradientTape() as tape:
    sharper = tf.image.adjust_contrast(image, contrast)
print("differentiable" if slope(sharper, contrast, tape) is not None else "not differentiable")
