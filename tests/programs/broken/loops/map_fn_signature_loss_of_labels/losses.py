import tensorflow as tf


def margin_loss(y_true, y_pred):
    def one(pair):
        label, scores = pair
        own = scores[label[0]]
        return tf.reduce_mean(tf.nn.relu(1.0 - own + scores))

    pairs = (tf.cast(y_true, tf.int32), y_pred)
    return tf.reduce_mean(tf.map_fn(one, pairs))  # why: TW501
