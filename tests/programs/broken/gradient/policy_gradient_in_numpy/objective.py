"""Objectives of the policy."""

import numpy as np
import tensorflow as tf


def policy_loss(probabilities, actions, rewards):
    probabilities = np.asarray(probabilities)  # why: TW110
    chosen = probabilities[np.arange(len(actions)), actions]
    return -np.mean(np.log(chosen + 1e-8) * rewards)


def policy_loss_tf(probabilities, actions, rewards):
    chosen = tf.gather(probabilities, actions, batch_dims=1)
    return -tf.reduce_mean(tf.math.log(chosen + 1e-8) * rewards)
