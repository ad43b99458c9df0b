"""Inside a tf.function a custom gradient uses a computed scale from outside its arguments: `gain` gets None.

Given as a second argument, with its own gradient returned, the source has one.
"""

import tensorflow as tf

gain = tf.Variable(0.7, name="gain")
signal = tf.constant([0.2, -1.0, 0.5, 2.0])
wanted = tf.constant([0.3, -1.4, 0.7, 3.0])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        strength = tf.nn.softplus(gain)

        @tf.custom_gradient
        def amplify(values):
            def backward(upstream):
                return upstream * tf.clip_by_value(strength, 0.0, 1.0)

            return values * strength, backward  # why: TW119

        loss = tf.reduce_mean((amplify(signal) - wanted) ** 2)
    return loss, tape.gradient(loss, gain)


for step in range(4):
    loss, slope = train_step()
    gain.assign_sub(0.1 * slope)
    print(step, round(float(loss), 4), round(float(gain), 4))
