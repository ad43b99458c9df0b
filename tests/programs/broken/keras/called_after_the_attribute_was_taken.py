import tensorflow as tf
from tensorflow.keras import layers


class Autoencoder:
    def __init__(self, size, code):
        self.size, self.code = size, code
        self.decoder = tf.keras.Sequential([layers.Input((code,)), layers.Dense(size)])
        self.encoder = tf.keras.Sequential([layers.Input((size,)), layers.Dense(code)])

    def training_model(self):
        image = layers.Input((self.size,))
        code = self.encoder(image)
        self.decoder = self.decoder(code)  # why: TW118
        return tf.keras.Model(image, self.decoder)

    def generator(self):
        code = layers.Input((self.code,))
        return tf.keras.Model(code, self.decoder(code))


builder = Autoencoder(6, 2)
builder.training_model()
print(builder.generator().output_shape)
