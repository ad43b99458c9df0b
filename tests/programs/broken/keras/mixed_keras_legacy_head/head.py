from tf_keras import layers  # why: TW304


def classification_head(features, classes):
    x = layers.Dense(8, activation="relu")(features)
    x = layers.Dropout(0.3)(x)
    return layers.Dense(classes, activation="softmax")(x)
