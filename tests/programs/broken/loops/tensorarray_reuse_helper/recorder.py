"""Keeps what a simulation passes through."""


class Recorder:
    def __init__(self, array):
        self.array = array

    def record(self, step, value):
        self.array.write(step, value)  # why: TW507
