"""Which pixels matter to a class of which the network is certain? The slope of a saturated softmax does not say."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 10), nn.Softmax(dim=1))  # why: TW202
picture = (300 * torch.rand(1, 20)).requires_grad_()
scores = net(picture)
scores[0, scores.argmax(1).item()].backward()
print(picture.grad.abs().max().item())
