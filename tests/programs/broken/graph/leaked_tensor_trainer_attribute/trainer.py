import tensorflow as tf


class Trainer:
    """Keeps the last loss for whoever wants to log it."""

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.last_loss = None
        self.gradient_norms = {}

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y)
        variables = self.model.trainable_variables
        grads = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(grads, variables))
        return tf.linalg.global_norm(grads)

    def compute_loss(self, x, y):
        prediction = self.model(x, training=True)
        loss = tf.reduce_mean(tf.square(prediction - y))
        self.last_loss = loss  # why: TW403
        return loss
