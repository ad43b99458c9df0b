"""Sequence to sequence: a recurrent encoder, additive attention, teacher forcing in a graph, greedy decoding."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
VOCABULARY, UNITS, LENGTH = 12, 10, 2
rng = np.random.default_rng(12)
source = rng.integers(3, VOCABULARY, size=(16, LENGTH)).astype("int32")
target = np.concatenate([np.ones((16, 1), "int32"), source[:, ::-1], np.full((16, 1), 2, "int32")], axis=1)


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCABULARY, 8)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        return self.gru(self.embedding(x), initial_state=hidden)

    def initial_state(self, batch):
        return tf.zeros((batch, UNITS))


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.w1 = tf.keras.layers.Dense(units)
        self.w2 = tf.keras.layers.Dense(units)
        self.v = tf.keras.layers.Dense(1)

    def call(self, query, values):
        score = self.v(tf.nn.tanh(self.w1(tf.expand_dims(query, 1)) + self.w2(values)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * values, axis=1), weights


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCABULARY, 8)
        self.gru = tf.keras.layers.GRU(UNITS, return_sequences=True, return_state=True)
        self.fc = tf.keras.layers.Dense(VOCABULARY)
        self.attention = BahdanauAttention(UNITS)

    def call(self, x, hidden, encoded):
        context, weights = self.attention(hidden, encoded)
        x = tf.concat([tf.expand_dims(context, 1), self.embedding(x)], axis=-1)
        output, state = self.gru(x)
        return self.fc(tf.reshape(output, (-1, output.shape[2]))), state, weights


encoder, decoder = Encoder(), Decoder()
optimizer = tf.keras.optimizers.Adam()
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.cast(tf.not_equal(real, 0), tf.float32)
    return tf.reduce_mean(cross_entropy(real, pred) * mask)


def warm_up():
    encoded, hidden = encoder(tf.constant(source[:1]), encoder.initial_state(1))
    decoder(tf.ones((1, 1), tf.int32), hidden, encoded)


@tf.function
def train_step(inp, targ, hidden):
    loss = 0.0
    with tf.GradientTape() as tape:
        encoded, hidden = encoder(inp, hidden)
        step_input = tf.expand_dims(targ[:, 0], 1)
        for t in range(1, targ.shape[1]):
            predictions, hidden, _ = decoder(step_input, hidden, encoded)
            loss += loss_function(targ[:, t], predictions)
            step_input = tf.expand_dims(targ[:, t], 1)
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss / int(targ.shape[1])


def translate(sentence):
    encoded, hidden = encoder(tf.constant(sentence[None]), encoder.initial_state(1))
    token, words = tf.expand_dims([1], 0), []
    for _ in range(LENGTH + 1):
        predictions, hidden, _weights = decoder(token, hidden, encoded)
        predicted = int(tf.argmax(predictions[0]))
        words.append(predicted)
        if predicted == 2:
            break
        token = tf.expand_dims([predicted], 0)
    return words


warm_up()
losses = [float(train_step(tf.constant(source), tf.constant(target), encoder.initial_state(16))) for _ in range(4)]
print(losses[-1] < losses[0], 1 <= len(translate(source[0])) <= LENGTH + 1)
