# The longest sentence is looked for while a pipeline is mapped, and used to pad a second one.
import tensorflow as tf
from text import Lengths

lines = tf.data.Dataset.from_tensor_slices(["a b c", "d e", "f g h i"])
lengths = Lengths()
tokens = lines.map(lengths.split)
for sentence in tokens:
    print(sentence.shape)
padded = lines.map(lengths.split).map(lengths.pad)
print(len(list(padded)))
