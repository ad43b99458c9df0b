"""Cheap augmentations for feature vectors."""


def two_views(batch, rng):
    first = batch + 0.1 * rng.normal(size=batch.shape).astype("float32")
    second = batch * rng.uniform(0.8, 1.2, size=batch.shape).astype("float32")
    return first, second
