"""Every block has rows of another length, and the function makes only its outer axis ragged."""
import tensorflow as tf

widths = tf.constant([3, 1, 2])


def block(width):
    return tf.RaggedTensor.from_tensor(tf.ones((4, 5, width)))


rows = tf.RaggedTensorSpec(shape=(4, 5, None), dtype=tf.float32)
print(tf.map_fn(block, widths, fn_output_signature=rows).shape)  # why: TW501
