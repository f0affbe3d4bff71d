"""Substitute for the context of PyTorch that sees every function; it sees none."""


class TorchFunctionMode:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None
