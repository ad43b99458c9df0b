"""The second half of each song follows the first, but `fit` shuffles them, and the states belong to other songs."""
import keras
import numpy as np

BATCH = 8


def listener():
    inner = keras.Sequential([keras.Input((5, 2), batch_size=BATCH), keras.layers.LSTM(6, stateful=True)])
    return keras.Sequential([keras.Input((5, 2), batch_size=BATCH), inner, keras.layers.Dense(1)])


songs = np.sin(np.arange(64 * 10) / 3).reshape(64, 5, 2).astype("float32")
wanted = songs[:, 0, :1]
model = listener()
model.compile("adam", "mse")
model.fit(songs, wanted, BATCH, 2, verbose=0)  # why: TW612
