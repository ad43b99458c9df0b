import tensorflow as tf
from features import entropy

policy = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="softmax")])
policy.build((None, 3))


@tf.function
def objective(states, rewards):
    probabilities = policy(states)
    return tf.reduce_mean(probabilities * rewards) + 0.01 * entropy(probabilities)


print(objective(tf.ones([2, 3]), tf.ones([2, 4])))
