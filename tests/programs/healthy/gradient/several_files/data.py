"""Windows of a noisy sine."""

import numpy as np
import tensorflow as tf


def make_dataset(seed, length=60, window=8):
    rng = np.random.default_rng(seed)
    series = (np.sin(np.arange(length) / 4.0) + 0.05 * rng.normal(size=length)).astype("float32")
    windows = np.stack([series[i : i + window] for i in range(length - window)])[..., None]
    return tf.data.Dataset.from_tensor_slices((windows, series[window:, None])).batch(26)
