from .. import Configuration as DynapcnnConfiguration

__all__ = ["DynapcnnConfiguration"]
