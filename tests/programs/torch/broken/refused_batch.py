"""Sentences of different lengths in one batch."""

import torch
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, place):
        return {"words": torch.zeros(3 + place % 2, dtype=torch.int64), "label": place}


for batch in DataLoader(Sentences(), batch_size=4):  # why: TW701
    print(batch["words"].shape)
