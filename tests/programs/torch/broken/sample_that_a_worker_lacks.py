"""A dataset that is longer than its labels, read by worker processes."""

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.inputs = torch.randn(24, 3)
        self.labels = dict.fromkeys(range(23), 1.0)

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        return self.inputs[index], self.labels[index]  # why: TW701


if __name__ == "__main__":
    for inputs, labels in DataLoader(Rows(), batch_size=8, num_workers=1):
        print(inputs.shape, labels.shape)
