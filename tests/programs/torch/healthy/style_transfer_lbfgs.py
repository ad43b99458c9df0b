"""Style transfer: an image is optimized by L-BFGS through a frozen network with loss layers in it."""

import torch
import torch.nn.functional as F
from torch import nn


def gram_matrix(x):
    a, b, c, d = x.size()
    features = x.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = gram_matrix(target).detach()

    def forward(self, x):
        self.loss = F.mse_loss(gram_matrix(x), self.target)
        return x


cnn = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(inplace=True)).eval()
content, style = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 8, 8)
model, content_losses, style_losses, i = nn.Sequential(), [], [], 0
for layer in cnn.children():
    if isinstance(layer, nn.Conv2d):
        i += 1
        name = f"conv_{i}"
    else:
        name = f"{type(layer).__name__}_{i}"
        layer = nn.ReLU(inplace=False) if isinstance(layer, nn.ReLU) else layer
    model.add_module(name, layer)
    if isinstance(layer, nn.Conv2d):
        content_losses.append(ContentLoss(model(content)))
        model.add_module(f"content_loss_{i}", content_losses[-1])
        style_losses.append(StyleLoss(model(style)))
        model.add_module(f"style_loss_{i}", style_losses[-1])
image = content.clone()
image.requires_grad_(True)
model.eval()
model.requires_grad_(False)
optimizer = torch.optim.LBFGS([image], max_iter=5)
run = [0]
while run[0] <= 10:

    def closure():
        with torch.no_grad():
            image.clamp_(0, 1)
        optimizer.zero_grad()
        model(image)
        style_score = 1e5 * sum(each.loss for each in style_losses)
        content_score = sum(each.loss for each in content_losses)
        loss = style_score + content_score
        loss.backward()
        run[0] += 1
        return style_score + content_score

    optimizer.step(closure)
with torch.no_grad():
    image.clamp_(0, 1)
print(run[0], image.shape)
