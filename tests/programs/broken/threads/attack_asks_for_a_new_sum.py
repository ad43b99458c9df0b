import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()


class Classifier:
    def __init__(self, features, classes):
        with v1.variable_scope("classifier"):
            self.weights = v1.get_variable("weights", (features, classes), initializer=v1.random_normal_initializer())
            self.bias = v1.get_variable("bias", (classes,), initializer=v1.zeros_initializer())

    def logits(self, images):
        return tf.matmul(images, self.weights) + self.bias


class ProjectedDescent:
    def __init__(self, model, epsilon=0.3, step=0.05, rounds=3):
        self.model = model
        self.epsilon = epsilon
        self.step = step
        self.rounds = rounds

    def perturbed(self, images, noise):
        return tf.clip_by_value(images + noise, 0.0, 1.0)

    def generate(self, images, labels):
        noise = tf.random.uniform(tf.shape(images), -self.epsilon, self.epsilon)
        for _ in range(self.rounds):
            logits = self.model.logits(self.perturbed(images, noise))
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits))
            (slope,) = v1.gradients(loss, self.perturbed(images, noise))  # why: TW115
            noise = tf.clip_by_value(noise + self.step * tf.sign(slope), -self.epsilon, self.epsilon)
        return self.perturbed(images, noise)


images = v1.placeholder(tf.float32, (None, 12))
labels = v1.placeholder(tf.float32, (None, 4))
attack = ProjectedDescent(Classifier(12, 4))
adversarial = attack.generate(images, labels)
with v1.Session() as session:
    session.run(v1.global_variables_initializer())
    rng = np.random.default_rng(0)
    feed = {images: rng.random((5, 12)), labels: np.eye(4)[rng.integers(0, 4, 5)]}
    print(session.run(adversarial, feed).shape)
