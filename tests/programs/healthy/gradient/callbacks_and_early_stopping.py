"""fit with early stopping, a schedule, a callback that reads weights as NumPy, and restored best weights."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(125)
rng = np.random.default_rng(125)
x = rng.normal(size=(80, 4)).astype("float32")
y = np.sin(x[:, :1])


class WeightNorm(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.norms = []

    def on_epoch_end(self, epoch, logs=None):
        self.norms.append(float(np.linalg.norm(self.model.get_weights()[0])))


model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
schedule = keras.optimizers.schedules.ExponentialDecay(0.02, decay_steps=5, decay_rate=0.9)
model.compile(keras.optimizers.Adam(schedule), "mse")
norms = WeightNorm()
stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True)
history = model.fit(x, y, validation_split=0.25, epochs=4, batch_size=30, verbose=0, callbacks=[norms, stopping])
print(len(history.history["loss"]), [round(n, 3) for n in norms.norms])
print("final", round(model.evaluate(x, y, verbose=0), 4))
