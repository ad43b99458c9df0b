import tensorflow as tf


def backbone():
    inputs = tf.keras.Input((16, 16, 3))
    x = tf.keras.layers.Conv2D(4, 3, activation="relu", name="block1_conv")(inputs)
    x = tf.keras.layers.Conv2D(8, 3, activation="relu", name="block2_conv")(x)
    return tf.keras.Model(inputs, x, name="backbone")


images = tf.keras.Input((16, 16, 3))
features = backbone()(images)
outputs = tf.keras.layers.Dense(2)(tf.keras.layers.GlobalAveragePooling2D()(features))
classifier = tf.keras.Model(images, outputs)


def grad_model(model, layer):
    inner = model.get_layer("backbone").get_layer(layer)
    return tf.keras.Model(model.inputs, [inner.output, model.output])  # why: TW305


print(grad_model(classifier, "block2_conv").output_shape)
