"""A LightningModule: fit with validation, a schedule, clipping, accumulation and early stopping, then a test."""

import logging
import tempfile
import warnings

import lightning
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint, StochasticWeightAveraging
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
lightning.seed_everything(0, verbose=False)


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.encoder(x))

    def _loss(self, batch, name):
        x, y = batch
        logits = self(x)
        loss = nn.functional.cross_entropy(logits, y)
        self.log(f"{name}_loss", loss, prog_bar=False)
        self.log(f"{name}_accuracy", (logits.argmax(1) == y).float().mean())
        return loss

    def training_step(self, batch, index):
        return self._loss(batch, "train")

    def validation_step(self, batch, index):
        self._loss(batch, "val")

    def test_step(self, batch, index):
        self._loss(batch, "test")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=0.02)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "epoch"}}


x = torch.randn(96, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
data = TensorDataset(x, y)
with tempfile.TemporaryDirectory() as folder:
    saved = ModelCheckpoint(folder, monitor="val_loss", save_top_k=1)
    trainer = lightning.Trainer(
        max_epochs=6,
        accelerator="cpu",
        devices=1,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        accumulate_grad_batches=2,
        gradient_clip_val=1.0,
        num_sanity_val_steps=1,
        callbacks=[EarlyStopping("val_loss", patience=4), saved, StochasticWeightAveraging(0.01, swa_epoch_start=4)],
        default_root_dir=folder,
    )
    model = Classifier()
    trainer.fit(model, DataLoader(data, 16, shuffle=True), DataLoader(data, 32))
    best = Classifier.load_from_checkpoint(saved.best_model_path, weights_only=False)
    found = trainer.test(best, DataLoader(data, 32), verbose=False)
print(trainer.current_epoch, sorted(found[0]), found[0]["test_accuracy"] > 0.5)
