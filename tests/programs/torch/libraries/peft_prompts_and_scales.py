"""Prompt tuning and (IA)3 on tiny models, each with a frozen base; a classifier head is saved and trained along."""

import warnings

import torch
import transformers
from peft import IA3Config, LoraConfig, PromptTuningConfig, get_peft_model
from transformers import BertConfig, BertForSequenceClassification, GPT2Config, GPT2LMHeadModel

warnings.simplefilter("ignore")
transformers.logging.set_verbosity_error()
torch.manual_seed(0)


def gpt():
    return GPT2LMHeadModel(GPT2Config(vocab_size=40, n_positions=32, n_embd=16, n_layer=2, n_head=2))


def bert():
    return BertForSequenceClassification(
        BertConfig(vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    )


def trained(model, labels):
    optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=1e-2)
    model.train()
    for _ in range(4):
        tokens = torch.randint(0, 40, (4, 8))
        loss = model(input_ids=tokens, labels=labels(tokens)).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    return loss.isfinite().item()


prompts = get_peft_model(gpt(), PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3))
scales = get_peft_model(
    bert(),
    IA3Config(task_type="SEQ_CLS", target_modules=["key", "value", "output.dense"], feedforward_modules=["output.dense"]),
)
dora = get_peft_model(
    bert(), LoraConfig(task_type="SEQ_CLS", r=2, use_dora=True, target_modules=["query"], modules_to_save=["classifier"])
)
print(trained(prompts, lambda tokens: tokens))
print(trained(scales, lambda tokens: (tokens[:, 0] > 20).long()))
print(trained(dora, lambda tokens: (tokens[:, 0] > 20).long()))
