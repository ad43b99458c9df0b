"""Keras 2 (`keras` before 3, `tf_keras`, TensorFlow's private copy), observed through its own objects."""
