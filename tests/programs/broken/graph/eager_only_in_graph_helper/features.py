import numpy as np


def entropy(p):
    return -np.sum(p * np.log(p + 1e-9))  # why: TW406


def spread(p):
    return p.max() - p.min()
