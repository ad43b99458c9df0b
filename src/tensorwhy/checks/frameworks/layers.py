"""Layers of Keras by what they are, named as in `keras.layers`, in all versions."""

from __future__ import annotations

_DIMENSIONS = """
    Conv Conv{}Transpose SeparableConv DepthwiseConv MaxPooling AveragePooling GlobalMaxPooling GlobalAveragePooling
    UpSampling ZeroPadding Cropping SpatialDropout
"""
_PLAIN = """
    Activation ActivityRegularization AlphaDropout BatchNormalization Dense Dropout ELU Embedding Flatten
    GaussianDropout GaussianNoise GlobalAvgPool1D GlobalAvgPool2D GlobalMaxPool1D GlobalMaxPool2D LayerNormalization
    LeakyReLU Masking MaxPool1D MaxPool2D PReLU Permute ReLU RepeatVector Rescaling Reshape Softmax
"""
_EACH = (each if "{}" in each else each + "{}" for each in _DIMENSIONS.split())
MERGING = frozenset(("Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"))
"""Layers that take all their tensors in one list."""
RECURRENT = frozenset(("ConvLSTM2D", "GRU", "LSTM", "SimpleRNN"))
WRAPPERS = frozenset(("Bidirectional", "TimeDistributed"))
LAYERS = (
    frozenset(name.format(f"{d}D") for name in _EACH for d in (1, 2, 3))
    | frozenset(_PLAIN.split())
    | MERGING
    | RECURRENT
    | WRAPPERS
)
"""Layers that take nothing but tensors."""
_WEIGHTY = """
    BatchNormalization Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose ConvLSTM2D Dense
    DepthwiseConv2D EinsumDense Embedding GRU LSTM LayerNormalization MultiHeadAttention PReLU SeparableConv1D
    SeparableConv2D SimpleRNN
"""
WITH_WEIGHTS = frozenset(f"keras.layers.{name}" for name in _WEIGHTY.split())
"""By their full names: layers that make variables when they are called first."""
