import numpy as np

np.random.seed(0)


class Posterior:
    def __init__(self, mean, deviation):
        self.mean = mean
        self.deviation = deviation

    def draw(self):
        return np.random.normal(self.mean, self.deviation)  # why: TW110
