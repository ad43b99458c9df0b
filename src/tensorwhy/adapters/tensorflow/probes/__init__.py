"""What an exception of TensorFlow shows while its frames and objects are alive. One module per kind of failure."""

ELSEWHERE = (
    ("keras_common.learning.replaced_weights", "failed"),
    ("tensorflow.failures.on_threads", "told"),
    ("tensorflow.failures.refused_backward", "refused"),
)
