"""Heads of models."""
from tensorflow.python.keras import layers  # why: TW304


def classification_head(features, classes):
    dropped = layers.Dropout(0.1)(features)
    return layers.Dense(classes, activation="softmax")(dropped)
