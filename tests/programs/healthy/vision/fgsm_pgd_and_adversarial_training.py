"""Attacks on a classifier: fast gradient sign, projected gradient descent, and training on the perturbed images."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
x = tf.constant(rng.uniform(size=(16, 8, 8, 1)).astype("float32"))
y = tf.one_hot(rng.integers(0, 3, size=16), 3)
model = tf.keras.Sequential(
    [tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)]
)
loss_object = tf.keras.losses.CategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)
model(x)


def fgsm(images, labels, eps):
    with tf.GradientTape() as tape:
        tape.watch(images)
        loss = loss_object(labels, model(images))
    return tf.clip_by_value(images + eps * tf.sign(tape.gradient(loss, images)), 0.0, 1.0)


@tf.function
def pgd(images, labels, eps, steps):
    adversarial = images
    for _ in tf.range(steps):
        with tf.GradientTape() as tape:
            tape.watch(adversarial)
            loss = loss_object(labels, model(adversarial, training=False))
        step = eps / 4 * tf.sign(tape.gradient(loss, adversarial))
        adversarial = tf.clip_by_value(adversarial + step, images - eps, images + eps)
    return tf.stop_gradient(tf.clip_by_value(adversarial, 0.0, 1.0))


clean = float(loss_object(y, model(x)))
print(float(loss_object(y, model(fgsm(x, y, 0.1)))) > clean)
for _ in range(3):
    attacked = pgd(x, y, 0.1, 3)
    with tf.GradientTape() as tape:
        loss = 0.5 * loss_object(y, model(x)) + 0.5 * loss_object(y, model(attacked))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
print(float(loss_object(y, model(x))) < clean + 1, bool(tf.reduce_max(tf.abs(attacked - x)) <= 0.1001))
