# The number of steps is read in the first call, which is Keras' own while it assembles the model.
import numpy as np
from recurrent import temporal_model

x = np.random.default_rng(0).normal(size=(16, 6, 4)).astype("float32")
model = temporal_model(6, 4)
model.compile("adam", "mse")
model.fit(x, x[:, -1, :1], epochs=1, batch_size=4, verbose=0)
