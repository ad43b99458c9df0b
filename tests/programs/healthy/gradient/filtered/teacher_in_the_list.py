"""Distillation: a teacher that is not trainable stands in the list of the student's trainer."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
teacher, student = tf.keras.layers.Dense(3), tf.keras.layers.Dense(3)
teacher.build((None, 4))
student.build((None, 4))
teacher.trainable = False
opt = tf.keras.optimizers.Adam(0.01)
weights = teacher.weights + student.weights
for _ in range(3):
    x = tf.random.normal((8, 4))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.kl_divergence(tf.nn.softmax(teacher(x)), tf.nn.softmax(student(x))))
    opt.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])
print("done")
