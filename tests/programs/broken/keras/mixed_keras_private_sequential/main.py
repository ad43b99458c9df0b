# requires: keras3
# The model comes from a private path of TensorFlow, its layers from the public one.
import numpy as np
from network import forecaster

model = forecaster(lags=6, horizon=2)
model.compile(loss="mse", optimizer="adam")
series = np.sin(np.arange(40) / 3)
windows = np.stack([series[i : i + 6] for i in range(30)])[..., None]
targets = np.stack([series[i + 6 : i + 8] for i in range(30)])
model.fit(windows, targets, epochs=1, verbose=0)
