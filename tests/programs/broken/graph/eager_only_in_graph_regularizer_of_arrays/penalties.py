import numpy as np
from tensorflow import keras


class GroupLasso(keras.regularizers.Regularizer):
    def __init__(self, strength):
        self.strength = strength

    def __call__(self, x):
        norms = np.sqrt(np.sum(np.square(x), axis=1))  # why: TW406
        return self.strength * norms.sum()

    def get_config(self):
        return {"strength": self.strength}
