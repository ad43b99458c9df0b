"""Loss functions that get what they take, and a divergence that begins at 0."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net, teacher, binary = nn.Linear(4, 3), nn.Linear(4, 3), nn.Linear(4, 1)
opt = torch.optim.SGD([*net.parameters(), *binary.parameters()], lr=0.1)
labels = torch.arange(8) % 3
for step in range(4):
    x = torch.randn(8, 4)
    scores = net(x)
    soft = teacher(x).softmax(1).detach()
    chance = binary(x).sigmoid()
    loss = (
        F.kl_div(scores.log_softmax(1), soft, reduction="batchmean")
        + F.kl_div(F.log_softmax(scores, 1), teacher(x).log_softmax(1).detach(), log_target=True)
        + F.nll_loss(scores.softmax(1).log(), labels)
        + F.cross_entropy(scores, soft)
        + F.cross_entropy(scores.log_softmax(1), labels)
        + F.binary_cross_entropy(chance, (labels == 0).float()[:, None])
        + F.binary_cross_entropy_with_logits(binary(x), torch.rand(8, 1))
        + F.cross_entropy(10 * F.normalize(scores) @ F.normalize(scores.softmax(1)).T, torch.arange(8))
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
