"""Hard Gumbel-softmax samples with a straight-through gradient, and a score-function estimator beside it."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(162)
logits = tf.Variable([0.1, 0.2, -0.3])
values = tf.constant([1.0, 3.0, -2.0])
policy = tf.Variable([0.0, 0.0, 0.0])

for step in range(4):
    noise = tf.constant(rng.gumbel(size=(32, 3)), tf.float32)
    with tf.GradientTape(persistent=True) as tape:
        soft = tf.nn.softmax((logits + noise) / 0.7)
        hard = tf.one_hot(tf.argmax(soft, axis=1), 3)
        sample = soft + tf.stop_gradient(hard - soft)
        loss = -tf.reduce_mean(sample @ values[:, None])
        actions = tf.argmax(policy + noise, axis=1)
        rewards = tf.gather(values, actions)
        score = -tf.reduce_mean(
            tf.gather(tf.nn.log_softmax(policy), actions) * tf.stop_gradient(rewards - tf.reduce_mean(rewards))
        )
    logits.assign_sub(0.5 * tape.gradient(loss, logits))
    policy.assign_sub(0.5 * tape.gradient(score, policy))
    del tape
    print(step, round(float(loss), 4), np.round(tf.nn.softmax(policy).numpy(), 3).tolist())
