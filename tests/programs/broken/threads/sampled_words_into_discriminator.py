import tensorflow as tf

VOCABULARY = 12


class TextGenerator(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = tf.keras.layers.GRU(8, return_sequences=True)
        self.logits = tf.keras.layers.Dense(VOCABULARY)

    def call(self, noise):
        return self.logits(self.rnn(noise))


def sample_words(logits):
    flat = tf.reshape(logits, [-1, VOCABULARY])
    words = tf.random.categorical(flat, 1)
    return tf.reshape(words, tf.shape(logits)[:2])


generator = TextGenerator()
discriminator = tf.keras.Sequential(
    [tf.keras.layers.Embedding(VOCABULARY, 6), tf.keras.layers.GRU(6), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(noise):
    with tf.GradientTape() as tape:
        sentence = sample_words(generator(noise))
        verdict = discriminator(sentence)  # why: TW108
        loss = cross_entropy(tf.ones_like(verdict), verdict)
    gradients = tape.gradient(loss, generator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    return loss


train_step(tf.random.normal([3, 5, 4]))
