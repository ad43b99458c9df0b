"""Images whose channels come first."""

# requires: torch
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(3, 8, 3)
        self.head = nn.Linear(8, 10)

    def forward(self, images):
        found = torch.relu(self.features(images))
        return self.head(found.mean(dim=(2, 3)))


torch.manual_seed(1)
photos = torch.rand(4, 32, 32, 3).permute(0, 3, 1, 2)
assert Net()(photos).shape == (4, 10)
