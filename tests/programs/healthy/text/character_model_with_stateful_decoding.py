"""Characters: StringLookup both ways, a subclassed GRU model that returns its state, one-step generation module."""

import tensorflow as tf

tf.keras.utils.set_random_seed(14)
text = "the quick brown fox jumps over the lazy dog and the dog sleeps " * 4
vocabulary = sorted(set(text))
ids_from_chars = tf.keras.layers.StringLookup(vocabulary=list(vocabulary), mask_token=None)
chars_from_ids = tf.keras.layers.StringLookup(vocabulary=ids_from_chars.get_vocabulary(), invert=True, mask_token=None)
ids = ids_from_chars(tf.strings.unicode_split(text, "UTF-8"))
dataset = (
    tf.data.Dataset.from_tensor_slices(ids)
    .batch(11, drop_remainder=True)
    .map(lambda chunk: (chunk[:-1], chunk[1:]))
    .shuffle(50, seed=1)
    .batch(4, drop_remainder=True)
)


class CharModel(tf.keras.Model):
    def __init__(self, size, width, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(size, width)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(size)
        self.units = units

    def call(self, inputs, states=None, return_state=False, training=False):
        x = self.embedding(inputs, training=training)
        if states is None:
            states = tf.zeros([tf.shape(inputs)[0], self.units])
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.dense(x, training=training)
        return (x, states) if return_state else x


class OneStep(tf.Module):
    def __init__(self, model, chars, ids, temperature=1.0):
        super().__init__()
        self.model, self.chars, self.ids, self.temperature = model, chars, ids, temperature
        unknown = self.ids(["[UNK]"])[:, None]
        mask = tf.SparseTensor(tf.cast(unknown, tf.int64), [-float("inf")], dense_shape=[len(ids.get_vocabulary())])
        self.mask = tf.sparse.to_dense(mask)

    @tf.function
    def step(self, inputs, states):
        characters = tf.strings.unicode_split(inputs, "UTF-8")
        logits, states = self.model(self.ids(characters).to_tensor(), states=states, return_state=True)
        logits = logits[:, -1, :] / self.temperature + self.mask
        chosen = tf.squeeze(tf.random.stateless_categorical(logits, 1, seed=(1, 2)), axis=-1)
        return self.chars(chosen), states


model = CharModel(len(ids_from_chars.get_vocabulary()), 8, 12)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(dataset, epochs=2, verbose=0)
print(history.history["loss"][-1] < history.history["loss"][0])
generator = OneStep(model, chars_from_ids, ids_from_chars)
characters, states, result = tf.constant(["the "]), tf.zeros([1, 12]), []
for _ in range(5):
    characters, states = generator.step(characters, states)
    result.append(characters)
print(tf.strings.join(result)[0].numpy().decode().__len__() >= 5)
