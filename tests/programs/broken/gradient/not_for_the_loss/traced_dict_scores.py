"""A saliency map: the compiled scorer is a method, and returns a dictionary."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.embed = tf.Variable(tf.random.normal((5, 4)))
        self.out = tf.Variable(tf.random.normal((4, 1)))

    @tf.function
    def __call__(self, tokens):
        embedded = tf.nn.embedding_lookup(self.embed, tokens)
        score = tf.reduce_mean(tf.tanh(embedded) @ self.out)
        return {"embedded": embedded, "score": score}


def attributions(scorer, tokens):
    with tf.GradientTape() as t:
        found = scorer(tokens)  # why: TW115
        t.watch(found["embedded"])
    return t.gradient(found["score"], found["embedded"])


print(attributions(Scorer(), tf.constant([1, 3, 2])))
