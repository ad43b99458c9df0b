import numpy as np


def recalls(truth, predicted, classes):
    return [np.mean(predicted[truth == label] == label) for label in range(classes)]


def as_labels(scores):
    return (scores.numpy() > 0.5).astype("int64").ravel()  # why: TW406


def balanced_accuracy(y_true, y_pred):
    return np.mean(recalls(as_labels(y_true), as_labels(y_pred), 2))
