# requires: keras3
# Layers of an old project are plain classes that multiply with TensorFlow; now they are called on Keras inputs.
from gcn import GraphAutoencoder
from tensorflow import keras

features = keras.Input((16,), batch_size=10, name="features")
adjacency = keras.Input((10,), batch_size=10, name="adjacency")
autoencoder = GraphAutoencoder(features, adjacency, hidden=(8, 4))
model = keras.Model([features, adjacency], autoencoder.reconstruction)
