"""Substitute for the part of PyTorch that an import uses, on numpy, so that goldens run without PyTorch."""

from types import SimpleNamespace

import numpy as np

modes = []
"""Contexts that see functions."""


class Tensor(np.ndarray):
    def detach(self):
        return self

    def __array_ufunc__(self, function, method, *args, **named):
        return see(getattr(function, method) if method != "__call__" else function, args, named)

    def __array_function__(self, function, types, args, named):
        return see(function, args, named)

    cpu = detach

    def numpy(self):
        return np.asarray(self)

    def clone(self):
        return self.copy()

    def numel(self):
        return self.size

    def is_floating_point(self):
        return self.dtype.kind == "f"

    def new_tensor(self, values):
        return from_numpy(np.array(values, self.dtype))

    def copy_(self, values):
        self[...] = values

    fill_ = copy_

    def zero_(self):
        self[...] = 0


def plain(value):
    """Returns arguments with arrays in place of tensors."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    return value.view(np.ndarray) if isinstance(value, Tensor) else value


def see(function, args, named):
    """Calls a function of numpy, in a context that sees it if there is one."""

    def call(*args, **named):
        result = function(*plain(args), **{key: plain(value) for key, value in named.items()})
        return result.view(Tensor) if isinstance(result, np.ndarray) else result

    call.__name__ = function.__name__
    mode = modes.pop() if modes else None
    if mode is None:
        return call(*args, **named)
    try:
        return mode.__torch_function__(call, (), args, named)
    finally:
        modes.append(mode)


def from_numpy(array):
    return np.asarray(array).view(Tensor)


def zeros(shape):
    return from_numpy(np.zeros(shape, np.float32))


def save(state, file):
    np.savez(file, **{name: tensor.numpy() for name, tensor in state.items()})


def ones_like(tensor):
    return from_numpy(np.ones_like(tensor.numpy()))


def zeros_like(tensor):
    return zeros(tensor.shape)


def sqrt(tensor):
    return from_numpy(np.sqrt(tensor.numpy()))


class no_grad:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class Module:
    def __init__(self):
        self._parameters, self._buffers, self.hooks, self.pre_hooks = {}, {}, [], []

    def named_children(self):
        return [(name, value) for name, value in vars(self).items() if isinstance(value, Module)]

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, child in self.named_children():
            yield from child.named_modules(f"{prefix}.{name}" if prefix else name)

    def state_dict(self):
        return {
            f"{name}.{key}" if name else key: value
            for name, module in self.named_modules()
            for key, value in vars(module).items()
            if isinstance(value, Tensor)
        }

    def load_state_dict(self, state):
        for name, value in state.items():
            module, _, key = name.rpartition(".")
            setattr(self.get_submodule(module), key, value)

    def parameters(self):
        return iter(())

    buffers = parameters

    def eval(self):
        return self

    def get_submodule(self, name):
        return getattr(self, name) if name else self

    def register_forward_hook(self, hook):
        self.hooks.append(hook)
        return SimpleNamespace(remove=lambda: self.hooks.remove(hook))

    def register_forward_pre_hook(self, hook):
        self.pre_hooks.append(hook)
        return SimpleNamespace(remove=lambda: self.pre_hooks.remove(hook))

    def __call__(self, *args):
        for hook in self.pre_hooks:
            hook(self, args)
        output = self.forward(*args)
        for hook in self.hooks:
            hook(self, args, output)
        return output


class Sequential(Module):
    def __init__(self, *layers):
        super().__init__()
        for number, layer in enumerate(layers):
            setattr(self, str(number), layer)

    def forward(self, x):
        for _, layer in self.named_children():
            x = layer(x)
        return x


class Linear(Module):
    def __init__(self, weight, bias=None):
        super().__init__()
        self.weight = from_numpy(np.array(weight, np.float32))
        self.bias = None if bias is None else from_numpy(np.array(bias, np.float32))
        self.out_features, self.in_features = self.weight.shape

    def forward(self, x):
        return x @ self.weight.T + (0 if self.bias is None else self.bias)


class Conv2d(Module):
    in_channels = 2


class ReLU(Module):
    def forward(self, x):
        return np.maximum(x, 0)


class LayerNorm(Module):
    def parameters(self):
        return iter((1,))

    def forward(self, x):
        return x


class MaxPool1d(Module):
    """Pools of 2 side by side."""

    kernel_size, stride, padding, dilation, return_indices, ceil_mode = 2, 2, 0, 1, False, False

    def forward(self, x):
        samples, channels, positions = x.shape
        return x.reshape(samples, channels, positions // 2, 2).max(axis=3)


class MaxPool2d(Module):
    """Pools of 2 x 2 side by side."""

    kernel_size, stride, padding, dilation, return_indices = 2, 2, 0, 1, False

    def __init__(self, ceil_mode=False):
        super().__init__()
        self.ceil_mode = ceil_mode

    def forward(self, x):
        samples, channels, rows, columns = x.shape
        return x.reshape(samples, channels, rows // 2, 2, columns // 2, 2).max(axis=(3, 5))


class Upsample(Module):
    mode, align_corners = "nearest", None

    def __init__(self, scale_factor):
        super().__init__()
        self.scale_factor = scale_factor

    def forward(self, x):
        count = max(1, int(self.scale_factor))
        return x.repeat(count, axis=2).repeat(count, axis=3)


class BatchNorm1d(Module):
    """Doubles its input, as the evaluation of a layer with a variance of 1/4."""

    affine, eps = True, 0.0

    def __init__(self):
        super().__init__()
        self.running_mean, self.bias = zeros(1), zeros(1)
        self.running_var, self.weight = zeros(1) + np.float32(0.25), ones_like(zeros(1))

    def forward(self, x):
        return (x - self.running_mean) * (self.weight / sqrt(self.running_var + self.eps)) + self.bias


from . import nn  # noqa: E402, F401 - it takes the classes of this module
