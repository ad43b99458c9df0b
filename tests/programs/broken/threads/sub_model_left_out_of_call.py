import tensorflow as tf


class TwoTowers(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.users = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
        self.items = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(3)])
        self.score = tf.keras.layers.Dense(1)

    def call(self, inputs):
        user, item = inputs
        u = self.users(user)
        v = self.items(item)  # why: TW115
        return self.score(tf.concat([u, u], axis=1))


model = TwoTowers()
model.compile("adam", "mse")
model.fit([tf.random.normal([8, 4]), tf.random.normal([8, 5])], tf.random.normal([8, 1]), epochs=1, verbose=0)
