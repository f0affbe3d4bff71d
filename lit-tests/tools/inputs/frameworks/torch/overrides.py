"""Substitute for the context of PyTorch that sees every function; it sees those of numpy on tensors."""

import torch


class TorchFunctionMode:
    def __enter__(self):
        torch.modes.append(self)
        return self

    def __exit__(self, *_):
        torch.modes.remove(self)
