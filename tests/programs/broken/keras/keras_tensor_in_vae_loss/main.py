# A variational autoencoder as in the old examples: its loss speaks of tensors of the encoder.
import numpy as np
from vae import VariationalAutoencoder

x = np.random.default_rng(0).uniform(size=(32, 12)).astype("float32")
vae = VariationalAutoencoder(12, 3)
vae.compile()
vae.model.fit(x, x, epochs=2, batch_size=8, verbose=0)
