# A program that asks for the private attribute and handles its absence itself.
import tensorflow as tf

inputs = tf.keras.Input((16,))
hidden = tf.keras.layers.Dense(8, activation="relu")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(hidden))
model.compile("sgd", "mse")

for value in (tf.ones((3, 16)), model(tf.ones((3, 16)))):
    try:
        print(value._keras_history)
    except AttributeError:
        print("no history")
print(hasattr(hidden, "_keras_history"))
