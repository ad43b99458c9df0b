import tensorflow as tf


def build():
    inputs = tf.keras.Input((16, 16, 3))
    x = tf.keras.layers.Conv2D(4, 3, activation="relu", name="last_conv")(inputs)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(5, activation="softmax")(x))


model = build()
features = tf.keras.Model(model.inputs, model.get_layer("last_conv").output)


def heatmap(image):
    with tf.GradientTape() as tape:
        last_conv_output = features(image)  # why: TW115
        tape.watch(last_conv_output)
        predictions = model(image)
        class_channel = predictions[:, tf.argmax(predictions[0])]
    gradients = tape.gradient(class_channel, last_conv_output)
    weights = tf.reduce_mean(gradients, axis=(0, 1, 2))
    return tf.reduce_sum(last_conv_output * weights, axis=-1)


print(heatmap(tf.random.uniform([1, 16, 16, 3])).shape)
