import tensorflow as tf

VOCABULARY, WIDTH = 15, 6


class Rewriter(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(VOCABULARY, WIDTH)
        self.first = tf.keras.layers.GRU(WIDTH, return_sequences=True)
        self.words = tf.keras.layers.Dense(VOCABULARY)
        self.second = tf.keras.layers.GRU(WIDTH)
        self.score = tf.keras.layers.Dense(1)

    def draft(self, tokens):
        return tf.argmax(self.words(self.first(self.embed(tokens))), axis=-1)

    def call(self, tokens):
        return self.score(self.second(self.embed(self.draft(tokens))))  # why: TW108


model = Rewriter()
optimizer = tf.keras.optimizers.Adam(1e-3)
tokens = tf.random.uniform([4, 5], maxval=VOCABULARY, dtype=tf.int32)
wanted = tf.random.normal([4, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(tokens) - wanted))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
