import tensorflow as tf


class Critic(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = tf.keras.layers.Dense(8, activation="relu")
        self.b = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.b(self.a(x))


actor = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
critic = Critic()
actor_optimizer, critic_optimizer = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()


def update(states, rewards):
    with tf.GradientTape() as tape:
        value = critic(states)
        advantage = rewards - value
        probabilities = tf.nn.softmax(actor(states))
        critic_loss = tf.reduce_mean(tf.square(advantage))  # why: TW115
        actor_loss = -tf.reduce_mean(tf.math.log(probabilities[:, :1]) * tf.stop_gradient(advantage))
        total = actor_loss + critic_loss
    gradients = tape.gradient(critic_loss, actor.trainable_variables)
    actor_optimizer.apply_gradients(zip(gradients, actor.trainable_variables))
    return total


update(tf.random.normal([5, 3]), tf.random.normal([5, 1]))
