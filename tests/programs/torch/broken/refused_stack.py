"""Sequences of several lengths are stacked."""

import torch


def collect(count):
    return [torch.randn(3 + number % 2) for number in range(count)]


features = collect(4)
torch.stack(features)  # why: TW701
