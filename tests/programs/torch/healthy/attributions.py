"""Attributions after training: Grad-CAM by hooks, integrated gradients, guided ReLUs, counterfactuals."""

import torch
import torch.nn.functional as F
from torch import nn


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Conv2d(6, 8, 3), nn.ReLU())
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.features(x).mean((2, 3)))


class GradCAM:
    def __init__(self, model, layer):
        self.model = model
        layer.register_forward_hook(self.save)

    def save(self, module, inputs, output):
        self.activation = output
        if output.requires_grad:
            output.register_hook(lambda grad: setattr(self, "gradient", grad))

    def __call__(self, x, target=None):
        self.model.zero_grad()
        out = self.model(x)
        target = out.argmax(1) if target is None else target
        one_hot = torch.zeros_like(out)
        one_hot[torch.arange(len(x)), target] = 1
        (one_hot * out).sum().backward(retain_graph=True)
        weights = self.gradient.mean((2, 3), keepdim=True)
        return F.relu((weights * self.activation).sum(1)).detach()


def integrated_gradients(model, x, target, steps=5):
    baseline, total = torch.zeros_like(x), torch.zeros_like(x)
    for alpha in torch.linspace(0, 1, steps):
        point = (baseline + alpha * (x - baseline)).requires_grad_()
        score = model(point)[:, target].sum()
        total += torch.autograd.grad(score, point)[0]
    return (x - baseline) * total / steps


model = CNN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    x = torch.rand(8, 1, 8, 8)
    loss = F.cross_entropy(model(x), (x.mean((1, 2, 3)) * 3).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
x = torch.rand(2, 1, 8, 8)
cam = GradCAM(model, model.features[2])
print(cam(x).shape, integrated_gradients(model, x, 1).shape)

handles = [m.register_full_backward_hook(lambda mod, gi, go: (F.relu(gi[0]),)) for m in model.modules() if isinstance(m, nn.ReLU)]
image = x.clone().requires_grad_()
model(image)[:, 0].sum().backward()
print(image.grad.shape)
for handle in handles:
    handle.remove()

for p in model.parameters():
    p.requires_grad_(False)
counter = x.clone().requires_grad_()
search = torch.optim.Adam([counter], lr=0.05)
for _ in range(5):
    loss = F.cross_entropy(model(counter), torch.tensor([2, 2])) + 0.1 * (counter - x).abs().mean()
    search.zero_grad()
    loss.backward()
    search.step()
    counter.data.clamp_(0, 1)
print(counter.shape)
