# The rate decays in every step; from the first step on its name means a tensor of the trace.
import tensorflow as tf


class Descent(tf.Module):
    def __init__(self, rate, decay):
        super().__init__()
        self.rate = tf.Variable(rate, trainable=False)
        self.decay = decay

    def apply(self, variables, gradients):
        for variable, gradient in zip(variables, gradients):
            variable.assign_sub(self.rate * gradient)
        self.rate = self.rate * self.decay  # why: TW401


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x) - y) ** 2)
        variables = self.model.trainable_variables
        self.optimizer.apply(variables, tape.gradient(loss, variables))
        return loss

    def fit(self, batches):
        for x, y in batches:
            loss = self.step(x, y)
        return float(loss), float(self.optimizer.rate)


model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
x = tf.random.normal([16, 2])
print(Trainer(model, Descent(0.1, 0.9)).fit([(x, x[:, :1])] * 3))
