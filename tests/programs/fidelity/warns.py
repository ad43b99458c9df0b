import warnings

warnings.warn("look here", stacklevel=1)
warnings.warn("deprecated in main", DeprecationWarning, stacklevel=1)
pattern = "\d"
