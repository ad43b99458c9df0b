"""SwAV: prototypes are normalized in place, get no gradient in the first iterations, and codes come from Sinkhorn."""

import torch
import torch.nn.functional as F
from torch import nn

encoder = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 6))
prototypes = nn.Linear(6, 8, bias=False)
model = nn.ModuleDict({"encoder": encoder, "prototypes": prototypes})
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)


@torch.no_grad()
def sinkhorn(scores, rounds=3, eps=0.05):
    q = torch.exp(scores / eps).t()
    q /= q.sum()
    for _ in range(rounds):
        q /= q.sum(dim=1, keepdim=True)
        q /= q.shape[0]
        q /= q.sum(dim=0, keepdim=True)
        q /= q.shape[1]
    return (q * q.shape[1]).t()


queue = torch.zeros(2, 16, 6)
for iteration in range(8):
    with torch.no_grad():
        w = prototypes.weight.data.clone()
        w = F.normalize(w, dim=1, p=2)
        prototypes.weight.copy_(w)
    x = torch.randn(8, 5)
    views = torch.cat([x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)])
    embedding = F.normalize(encoder(views), dim=1)
    output = prototypes(embedding)
    embedding = embedding.detach()
    loss = 0
    for crop in range(2):
        with torch.no_grad():
            out = output[8 * crop : 8 * (crop + 1)].detach()
            if iteration >= 4:
                out = torch.cat((torch.mm(queue[crop], prototypes.weight.t()), out))
            queue[crop, 8:] = queue[crop, :-8].clone()
            queue[crop, :8] = embedding[8 * crop : 8 * (crop + 1)]
            codes = sinkhorn(out)[-8:]
        other = output[8 * (1 - crop) : 8 * (2 - crop)] / 0.1
        loss -= torch.mean(torch.sum(codes * F.log_softmax(other, dim=1), dim=1))
    optimizer.zero_grad()
    loss.backward()
    if iteration < 5:
        for name, p in model.named_parameters():
            if "prototypes" in name:
                p.grad = None
    optimizer.step()
    print(f"{iteration} {loss.item():.4f}")
