"""Samples of a data set that have other keys than the first."""

import torch
from torch.utils.data import DataLoader, Dataset


class Items(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, number):
        item = {"x": torch.randn(3), "y": number}
        return item if number else {**item, "weight": 1.0}


for _ in DataLoader(Items(), batch_size=3):  # why: TW701
    pass
