from .. import Configuration as SpeckConfiguration

__all__ = ["SpeckConfiguration"]
