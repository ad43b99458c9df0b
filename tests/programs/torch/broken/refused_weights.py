"""The head of the saved model has another number of classes."""

import torch
from torch import nn


def build(classes):
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, classes))


weights = build(10).state_dict()
build(7).load_state_dict(weights)  # why: TW701
