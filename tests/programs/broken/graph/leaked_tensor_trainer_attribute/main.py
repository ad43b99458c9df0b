import tensorflow as tf
from report import smooth
from trainer import Trainer

tf.random.set_seed(0)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
trainer = Trainer(model, tf.keras.optimizers.SGD(0.01))
x = tf.random.normal([32, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
model(x)


def run(epochs):
    for epoch in range(epochs):
        for start in range(0, 32, 8):
            trainer.train_step(x[start : start + 8], y[start : start + 8])
        print("epoch", epoch, smooth([trainer.last_loss]))


run(2)
