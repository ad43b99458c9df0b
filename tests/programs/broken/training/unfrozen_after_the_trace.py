import tensorflow as tf


class Tower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.base = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(8)])
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.base(x))

    def unfreeze(self):
        self.base.trainable = True  # why: TW116


model, optimizer = Tower(), tf.keras.optimizers.SGD(0.01)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


x = tf.random.normal((32, 5))
y = tf.reduce_sum(x, axis=1, keepdims=True)
model(x)
model.base.trainable = False
for _ in range(8):
    step(x, y)
model.unfreeze()
for _ in range(8):
    step(x, y)
