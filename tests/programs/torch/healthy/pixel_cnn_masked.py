"""PixelCNN: masked convolutions rewrite their weights through `.data` in each call; samples are drawn pixel by pixel."""

import torch
import torch.nn.functional as F
from torch import nn


class MaskedConv2d(nn.Conv2d):
    def __init__(self, kind, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_buffer("mask", self.weight.data.clone())
        _, _, height, width = self.weight.size()
        self.mask.fill_(1)
        self.mask[:, :, height // 2, width // 2 + (kind == "B") :] = 0
        self.mask[:, :, height // 2 + 1 :] = 0

    def forward(self, x):
        self.weight.data *= self.mask
        return super().forward(x)


net = nn.Sequential(
    MaskedConv2d("A", 1, 8, 5, padding=2, bias=False),
    nn.BatchNorm2d(8),
    nn.ReLU(True),
    MaskedConv2d("B", 8, 8, 3, padding=1, bias=False),
    nn.BatchNorm2d(8),
    nn.ReLU(True),
    nn.Conv2d(8, 4, 1),
)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(2):
    net.train(True)
    for _ in range(2):
        image = torch.rand(4, 1, 6, 6)
        target = (image[:, 0] * 3).long()
        loss = F.cross_entropy(net(image), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.train(False)
    sample = torch.zeros(2, 1, 3, 3)
    with torch.no_grad():
        for i in range(3):
            for j in range(3):
                probs = F.softmax(net(sample)[:, :, i, j], dim=1)
                sample[:, :, i, j] = torch.multinomial(probs, 1).float() / 3.0
    print(f"{loss.item():.4f}", sample.shape)
