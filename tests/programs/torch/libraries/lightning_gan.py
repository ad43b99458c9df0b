"""Manual optimization in Lightning: two optimizers, toggled in turn, with an image of the generator between epochs."""

import logging
import tempfile
import warnings

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
lightning.seed_everything(0, verbose=False)


class GAN(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.generator = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
        self.discriminator = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.seen = []

    def training_step(self, batch, index):
        (real,) = batch
        first, second = self.optimizers()
        one, zero = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        loss = nn.functional.binary_cross_entropy_with_logits

        self.toggle_optimizer(first)
        fake = self.generator(torch.randn(len(real), 4))
        cost = loss(self.discriminator(fake), one)
        self.manual_backward(cost)
        first.step()
        first.zero_grad()
        self.untoggle_optimizer(first)

        self.toggle_optimizer(second)
        judged = self.discriminator(real), self.discriminator(fake.detach())
        cost = (loss(judged[0], one) + loss(judged[1], zero)) / 2
        self.manual_backward(cost)
        second.step()
        second.zero_grad()
        self.untoggle_optimizer(second)

    def on_train_epoch_end(self):
        with torch.no_grad():
            self.seen.append(self.generator(torch.randn(8, 4)).mean().item())

    def configure_optimizers(self):
        return [torch.optim.Adam(part.parameters(), 0.01) for part in (self.generator, self.discriminator)]


data = DataLoader(TensorDataset(torch.randn(64, 2) + 1.0), 16, shuffle=True)
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(
        max_epochs=3,
        accelerator="cpu",
        devices=1,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        default_root_dir=folder,
    )
    model = GAN()
    trainer.fit(model, data)
print(len(model.seen), trainer.global_step)
