"""A sequence-to-sequence model whose decoding loop writes the scores of the tokens into its TensorArray."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)
TOKENS, LENGTH, WIDTH, START = 9, 5, 12, 0


def reversal_task(count, seed):
    """Sequences and their mirror images."""
    source = np.random.default_rng(seed).integers(1, TOKENS, size=(count, LENGTH)).astype("int32")
    return tf.constant(source), tf.constant(source[:, ::-1])


class Encoder(tf.keras.layers.Layer):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.rnn = tf.keras.layers.GRU(WIDTH, return_state=True)

    def call(self, tokens):
        return self.rnn(self.embedding(tokens))[1]


class Translator(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(TOKENS, WIDTH)
        self.encoder = Encoder(self.embedding)
        self.cell = tf.keras.layers.GRUCell(WIDTH)
        self.project = tf.keras.layers.Dense(TOKENS)

    def decode_step(self, token, state):
        output, states = self.cell(self.embedding(token), [state])
        return self.project(output), states[0]

    def call(self, source, target=None):
        """The distribution of each output token; the tokens fed back are the target's, or its own choices."""
        state = self.encoder(source)
        batch = tf.shape(source)[0]
        token = tf.fill([batch], START)
        outputs = tf.TensorArray(tf.float32, size=LENGTH)
        for t in range(LENGTH):
            logits, state = self.decode_step(token, state)
            chosen = tf.argmax(logits, axis=-1, output_type=tf.int32)
            outputs = outputs.write(t, tf.nn.softmax(logits))
            token = chosen if target is None else target[:, t]
        return tf.transpose(outputs.stack(), [1, 0, 2])


def cross_entropy(target, probabilities):
    picked = tf.gather(probabilities, target, batch_dims=2)
    return -tf.reduce_mean(tf.math.log(picked + 1e-6))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def step(self, source, target):
        with tf.GradientTape() as tape:
            loss = cross_entropy(target, self.model(source, target))
        variables = self.model.trainable_variables
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return float(loss), float(norm)


def main():
    trainer = Trainer(Translator())
    for epoch in range(4):
        source, target = reversal_task(32, seed=epoch)
        loss, norm = trainer.step(source, target)
        print(f"epoch {epoch}: loss {loss:.3f} gradient {norm:.3f}")
    source, target = reversal_task(8, seed=99)
    guess = tf.argmax(trainer.model(source), axis=-1, output_type=tf.int32)
    print("token accuracy", round(float(tf.reduce_mean(tf.cast(guess == target, tf.float32))), 2))


if __name__ == "__main__":
    main()
