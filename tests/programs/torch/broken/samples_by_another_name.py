"""A data set has a method for its samples, by a name that the loader does not call."""

import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):  # why: TW701
    def __len__(self):
        return 8

    def get_item(self, index):
        return torch.ones(3)


for batch in DataLoader(Samples(), batch_size=4):
    print(batch.shape)
