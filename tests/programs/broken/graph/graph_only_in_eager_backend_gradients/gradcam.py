import numpy as np
from tensorflow.keras import backend as K


def heatmap(model, image, label, layer):
    features = model.get_layer(layer).output
    score = model.output[:, label]
    grads = K.gradients(score, features)[0]  # why: TW407
    pooled = K.mean(grads, axis=(0, 1, 2))
    iterate = K.function([model.input], [pooled, features])
    weights, values = iterate([image])
    return np.maximum((values[0] * weights).sum(axis=-1), 0)
