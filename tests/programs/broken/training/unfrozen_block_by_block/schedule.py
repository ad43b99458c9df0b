class Gradual:
    """Frees the blocks from the top to the bottom."""

    def __init__(self, blocks):
        self.waiting = list(blocks)

    def start(self):
        for block in self.waiting:
            block.trainable = False

    def advance(self):
        if self.waiting:
            self.waiting.pop().trainable = True  # why: TW116
