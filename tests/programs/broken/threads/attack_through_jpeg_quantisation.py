import tensorflow as tf

classifier = tf.keras.Sequential(
    [
        tf.keras.Input((8, 8, 3)),
        tf.keras.layers.Conv2D(4, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(2),
    ]
)


def compress(image):
    pixels = tf.cast(image * 255.0, tf.uint8)  # why: TW105
    return tf.cast(pixels, tf.float32) / 255.0


def pgd(image, label, steps=2, rate=0.01):
    adversarial = tf.identity(image)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(adversarial)
            logits = classifier(compress(adversarial))
            loss = tf.keras.losses.sparse_categorical_crossentropy(label, logits, from_logits=True)
        gradient = tape.gradient(loss, adversarial)
        adversarial = tf.clip_by_value(adversarial + rate * tf.sign(gradient), 0.0, 1.0)
    return adversarial


print(pgd(tf.random.uniform([1, 8, 8, 3]), tf.constant([1])).shape)
