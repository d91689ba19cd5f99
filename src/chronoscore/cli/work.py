"""Names that commands still import from here."""

from chronoscore.api.results import ROW_FORMATS as ROW_FORMATS
from chronoscore.api.results import TABLE_FORMATS as TABLE_FORMATS
from chronoscore.api.results import draw as drawn

__all__ = ["ROW_FORMATS", "TABLE_FORMATS", "drawn"]
