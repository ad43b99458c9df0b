# One of the augmentations gives integers.
import tensorflow as tf
from augment import Augment

images = tf.random.uniform([4, 8, 8, 3])
dataset = tf.data.Dataset.from_tensor_slices(images).map(Augment()).batch(2)
print([batch.shape for batch in dataset])
