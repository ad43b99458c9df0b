import random

import numpy as np
import tensorflow as tf


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []
        self.random = random.Random(0)

    def query(self, batch):
        out = []
        for image in np.array(batch):
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            elif self.random.random() > 0.5:
                index = self.random.randrange(self.size)
                out.append(self.images[index])
                self.images[index] = image
            else:
                out.append(image)
        return tf.stack(out)
