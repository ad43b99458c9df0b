"""Graphs: attention by scatter, top-k pooling, negative sampling for links; some nodes have no neighbours."""

import torch
import torch.nn.functional as F
from torch import nn


def scatter_softmax(values, index, n):
    top = torch.full((n, *values.shape[1:]), float("-inf")).scatter_reduce(0, index[:, None].expand_as(values), values.detach(), "amax")
    exp = (values - top[index]).exp()
    total = torch.zeros(n, *values.shape[1:]).index_add_(0, index, exp)
    return exp / (total[index] + 1e-16)


class GATConv(nn.Module):
    def __init__(self, inp, out, heads=2):
        super().__init__()
        self.heads, self.out = heads, out
        self.lin = nn.Linear(inp, heads * out, bias=False)
        self.att_src, self.att_dst = nn.Parameter(torch.empty(1, heads, out)), nn.Parameter(torch.empty(1, heads, out))
        self.bias = nn.Parameter(torch.zeros(heads * out))
        nn.init.xavier_uniform_(self.att_src)
        nn.init.xavier_uniform_(self.att_dst)

    def forward(self, x, edges):
        n, (src, dst) = len(x), edges
        h = self.lin(x).view(n, self.heads, self.out)
        alpha = (h * self.att_src).sum(-1)[src] + (h * self.att_dst).sum(-1)[dst]
        alpha = scatter_softmax(F.leaky_relu(alpha, 0.2), dst, n)
        out = torch.zeros_like(h).index_add(0, dst, h[src] * alpha[..., None])
        return out.flatten(1) + self.bias


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = GATConv(4, 6), GATConv(12, 6)
        self.score = nn.Linear(12, 1)
        self.cls = nn.Linear(24, 2)

    def encode(self, x, edges):
        return self.conv2(F.elu(self.conv1(x, edges)), edges)

    def forward(self, x, edges, ratio=0.5):
        h = self.encode(x, edges)
        gate = torch.tanh(self.score(h)).squeeze(-1)
        keep = gate.topk(max(1, int(ratio * len(h)))).indices
        pooled = h[keep] * gate[keep, None]
        return self.cls(torch.cat([pooled.max(0).values, pooled.mean(0)])), h


model = Net()
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
for epoch in range(4):
    total = 0.0
    for _ in range(3):
        n = int(torch.randint(5, 9, ()))
        x, edges = torch.randn(n, 4), torch.randint(0, n, (2, 2 * n))
        logits, h = model(x, edges)
        negative = torch.randint(0, n, (2, 2 * n))
        pos, neg = (h[edges[0]] * h[edges[1]]).sum(-1), (h[negative[0]] * h[negative[1]]).sum(-1)
        link = F.binary_cross_entropy_with_logits(torch.cat([pos, neg]), torch.cat([torch.ones(2 * n), torch.zeros(2 * n)]))
        loss = F.cross_entropy(logits[None], (x.sum() > 0).long()[None]) + 0.1 * link
        (loss / 3).backward()
        total += float(loss)
    opt.step()
    opt.zero_grad()
    print(f"{epoch} {total:.4f}")
