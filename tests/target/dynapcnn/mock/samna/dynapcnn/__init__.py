from .. import validate_configuration as validate_configuration
