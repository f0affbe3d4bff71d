from .. import Linear


def fuse_linear_bn_eval(layer, normalisation):
    return Linear(2 * layer.weight)
