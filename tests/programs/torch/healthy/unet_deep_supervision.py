"""A U-Net with skips, deep supervision with falling weights, Dice loss and ignored pixels."""

import torch
import torch.nn.functional as F
from torch import nn


def double(inp, out):
    return nn.Sequential(nn.Conv2d(inp, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True), nn.Conv2d(out, out, 3, padding=1, bias=False), nn.GroupNorm(2, out), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, channels=(4, 8), classes=3):
        super().__init__()
        self.downs, self.ups, self.aux = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        inp = 1
        for c in channels:
            self.downs.append(double(inp, c))
            inp = c
        self.bottleneck = double(inp, 2 * inp)
        for c in reversed(channels):
            self.ups.append(nn.ConvTranspose2d(2 * c, c, 2, stride=2))
            self.ups.append(double(2 * c, c))
            self.aux.append(nn.Conv2d(c, classes, 1))

    def forward(self, x):
        skips, outs = [], []
        for down in self.downs:
            x = down(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottleneck(x)
        for i in range(0, len(self.ups), 2):
            x = self.ups[i](x)
            x = self.ups[i + 1](torch.cat([skips.pop(), x], dim=1))
            outs.append(self.aux[i // 2](x))
        return outs


def dice_loss(logits, target, valid, eps=1.0):
    probs = logits.softmax(1) * valid[:, None]
    onehot = F.one_hot(target.clamp(min=0), logits.shape[1]).permute(0, 3, 1, 2).float() * valid[:, None]
    inter = (probs * onehot).sum((0, 2, 3))
    return 1 - ((2 * inter + eps) / (probs.sum((0, 2, 3)) + onehot.sum((0, 2, 3)) + eps)).mean()


model = UNet()
optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
poly = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4, power=0.9)
for epoch in range(4):
    image = torch.rand(2, 1, 8, 8)
    target = (image[:, 0] * 3).long()
    target[:, :2] = -100
    valid = (target >= 0).float()
    loss = 0.0
    for depth, logits in enumerate(model(image)):
        logits = F.interpolate(logits, size=target.shape[-2:], mode="bilinear", align_corners=False)
        weight = 1.0 if depth == 1 else 0.5 * (1 - epoch / 4)
        loss = loss + weight * (F.cross_entropy(logits, target, ignore_index=-100) + dice_loss(logits, target, valid))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    poly.step()
    print(f"{epoch} {loss.item():.4f}")
