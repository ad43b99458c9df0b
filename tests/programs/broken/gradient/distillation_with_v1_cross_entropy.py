"""Joint training of teacher and student with the v1 cross-entropy, which stops the gradient of its labels.

The teacher's variables get None (Keras warns); `tf.nn.softmax_cross_entropy_with_logits` lets it through.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(20)
rng = np.random.default_rng(20)
x = tf.constant(rng.normal(size=(40, 7)), tf.float32)

teacher = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="relu"), tf.keras.layers.Dense(4)])
student = tf.keras.Sequential([tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam(1e-2)


def agreement(teacher_logits, student_logits, temperature=2.0):
    soft = tf.nn.softmax(teacher_logits / temperature)
    return tf.reduce_mean(
        tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=soft, logits=student_logits)  # why: TW104
    )


for step in range(3):
    with tf.GradientTape() as tape:
        loss = agreement(teacher(x), student(x))
    variables = teacher.trainable_variables + student.trainable_variables
    grads = tape.gradient(loss, variables)
    print(step, [g is not None for g in grads])
    optimizer.apply_gradients(zip(grads, variables))
print("loss", round(float(loss), 4))
