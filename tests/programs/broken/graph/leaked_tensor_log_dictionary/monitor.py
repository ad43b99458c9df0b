import tensorflow as tf


class Monitor:
    def __init__(self):
        self.counts = {}
        self.latest = {}

    def record(self, name, value):
        self.counts[name] = self.counts.get(name, 0) + 1
        self.latest[name] = value  # why: TW403


def summary(monitor):
    return {name: tf.round(value * 100.0) / 100.0 for name, value in monitor.latest.items()}
