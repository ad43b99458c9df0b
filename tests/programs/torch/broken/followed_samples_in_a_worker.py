"""A dataset whose inputs require a gradient, read by worker processes."""

import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

if __name__ == "__main__":
    data = TensorDataset(torch.randn(24, 3, requires_grad=True), torch.zeros(24))
    kept, _ = random_split(data, [16, 8])
    loader = DataLoader(kept, batch_size=8, num_workers=1)
    for inputs, labels in loader:  # why: TW701
        print(inputs.shape, labels.shape)
