"""Terms of losses that are constants because they should be, and repaired ones that are none."""

# requires: torch
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
inputs = torch.randn(64, 5)
labels = torch.randint(0, 3, (64,))
teacher = nn.Linear(5, 3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 8), nn.Linear(8, 3)
        self.gates = []

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        self.gates = [hidden.pow(2).mean(), hidden.abs().mean()]
        return self.second(hidden)


def train(loss_of):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    history = {"loss": 0.0, "steps": 0}
    for rows in torch.arange(64).split(16):
        scores = model(inputs[rows])
        loss = loss_of(model, scores, rows)
        history["loss"] += loss.item()
        history["steps"] += 1
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def repaired(model, scores, rows):
    loss = torch.zeros(())
    for gate in model.gates:
        loss = loss + 0.1 * gate
    size = sum(each.pow(2).sum() for each in model.parameters())
    return loss + torch.stack(model.gates).sum() + 0.01 * size + F.cross_entropy(scores, labels[rows])


def numbers(model, scores, rows):
    loss, logged = F.cross_entropy(scores, labels[rows]), {}
    logged["loss"] = loss.item()
    logged["accuracy"] = (scores.argmax(1) == labels[rows]).float().mean().item()
    offset = 0.3
    return (loss - offset).abs() + offset + 1e-8


def rescaled(model, scores, rows):
    loss, aside = F.cross_entropy(scores, labels[rows]), model.gates[0]
    factor = loss.item() / (aside.item() + 1e-6)
    aside = aside * factor
    total = aside + 1e-6
    return loss + total


def for_display(model, scores, rows):
    loss = F.cross_entropy(scores, labels[rows])
    with torch.no_grad():
        wrong = (scores.argmax(1) != labels[rows]).float().mean()
        shown = 0.0 * F.mse_loss(scores, scores)
    return loss + wrong - loss.detach() + shown


def through(model, scores, rows):
    hard = (scores.argmax(1) != labels[rows]).float().mean()
    soft = F.cross_entropy(scores, labels[rows])
    return hard + soft - soft.detach()


def policy_gradient(model, scores, rows):
    drawn = torch.distributions.Categorical(logits=scores)
    action = drawn.sample()
    reward = (action == labels[rows]).float()
    baseline = reward.mean()
    value = model.gates[0]
    critic = (baseline - value) ** 2
    advantage = baseline - value
    return -(drawn.log_prob(action) * (reward - baseline)).mean() + critic - 0.1 * advantage.detach() * value


def product(model, scores, rows):
    wrong = (scores.argmax(1) != labels[rows]).float().mean()
    return (wrong - model.gates[0]) * model.gates[1] + F.cross_entropy(scores, labels[rows])


def normalized(model, scores, rows):
    sure = (scores.softmax(1).amax(1) > 0.4).float()
    each = F.cross_entropy(scores, labels[rows], reduction="none")
    return (each * sure).sum() / (sure.sum() + 1)


def distilled(model, scores, rows):
    with torch.no_grad():
        wanted = teacher(inputs[rows]).softmax(1)
    entropy = -(wanted * wanted.log()).sum(1).mean()
    return F.cross_entropy(scores, wanted) - entropy


def hard_sample(model, scores, rows):
    soft = scores.softmax(1)
    hard = F.one_hot(soft.argmax(1), 3).float()
    return ((hard + soft - soft.detach()) * torch.tensor([1.0, 2.0, 3.0])).sum()


def adaptive_margin(model, scores, rows):
    margin = 0.1 + 0.1 * (scores.argmax(1) == labels[rows]).float()
    right = scores.gather(1, labels[rows, None]).squeeze(1)
    return F.relu(scores.amax(1) - right + margin).mean()


def in_a_loop(model, scores, rows):
    total, seen = 0, []
    for column in range(3):
        part = scores[:, column].pow(2).mean()
        seen.append(part.item())
        total += part
    part = sum(seen) / 3
    return total


def in_front(model, scores, rows):
    base = F.cross_entropy(scores, labels[rows])
    scale = base.item()
    base = base * scale
    loss = 0.1 + base
    return loss + 1


def with_entropy(model, scores, rows):
    drawn = torch.distributions.Normal(scores, 1.0)
    return F.cross_entropy(scores, labels[rows]) - 0.01 * drawn.entropy().mean()


def prior(model, scores, rows):
    counts = torch.bincount(labels[rows], minlength=3).float()
    return F.cross_entropy(scores, labels[rows]) + (counts / counts.sum()).log().clamp(min=-5).mean()


train(repaired)
train(numbers)
train(rescaled)
train(for_display)
train(through)
train(policy_gradient)
train(product)
train(normalized)
train(distilled)
train(hard_sample)
train(adaptive_margin)
train(prior)
train(with_entropy)
train(in_a_loop)
train(in_front)
