"""Inference models are cut out of a trained summariser with attention."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model

WORDS, HIDDEN = 50, 16


def training_model():
    encoder_inputs = layers.Input(shape=(None,), name="text")
    x = layers.Embedding(WORDS, 12, name="encoder_words")(encoder_inputs)
    encoder_outputs, h, c = layers.LSTM(HIDDEN, return_sequences=True, return_state=True, name="encoder")(x)
    decoder_inputs = layers.Input(shape=(None,), name="summary")
    embedding = layers.Embedding(WORDS, 12, name="decoder_words")
    lstm = layers.LSTM(HIDDEN, return_sequences=True, return_state=True, name="decoder")
    decoder_outputs, _, _ = lstm(embedding(decoder_inputs), initial_state=[h, c])
    attended = layers.Attention(name="attention")([decoder_outputs, encoder_outputs])
    joined = layers.Concatenate(name="joined")([decoder_outputs, attended])
    words = layers.Dense(WORDS, activation="softmax", name="words")(joined)
    return Model([encoder_inputs, decoder_inputs], words)


def inference_models(model):
    encoder_inputs = model.input[0]
    encoder_outputs, h, c = model.get_layer("encoder").output
    encoder_model = Model(encoder_inputs, [encoder_outputs, h, c])

    decoder_inputs = model.input[1]
    states = [layers.Input(shape=(HIDDEN,)), layers.Input(shape=(HIDDEN,))]
    hidden = layers.Input(shape=(None, HIDDEN))
    embedded = model.get_layer("decoder_words")(decoder_inputs)
    outputs, h2, c2 = model.get_layer("decoder")(embedded, initial_state=states)
    attended = model.get_layer("attention")([outputs, encoder_outputs])
    joined = model.get_layer("joined")([outputs, attended])
    words = model.get_layer("words")(joined)
    decoder_model = Model([decoder_inputs, hidden] + states, [words, h2, c2])  # why: TW305
    return encoder_model, decoder_model


def main():
    model = training_model()
    model.compile("adam", "sparse_categorical_crossentropy")
    text = np.random.randint(0, WORDS, (8, 10))
    summary = np.random.randint(0, WORDS, (8, 4))
    model.fit([text, summary], np.roll(summary, -1, axis=1), verbose=0)
    encoder, decoder = inference_models(model)
    outputs, h, c = encoder.predict(text[:1], verbose=0)
    print(decoder.predict([np.zeros((1, 1)), outputs, h, c], verbose=0)[0].shape)


main()
