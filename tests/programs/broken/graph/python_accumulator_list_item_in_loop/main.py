# A list that exists before the loop gets new items inside of it; TensorFlow traces the loop's body once.
import tensorflow as tf
from solver import Solver

network = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(3)])
solver = Solver(network, steps=10)
print([g.shape for g in solver.gradient(tf.ones((2, 3)))])
