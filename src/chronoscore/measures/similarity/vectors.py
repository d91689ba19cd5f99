"""Vectors of many texts: those that the cache has, and the others from the model in one call."""

from collections.abc import Sequence

import numpy as np

from chronoscore.align.dates import Floats
from chronoscore.errors import DataError, number_with_noun, warn
from chronoscore.measures.similarity.models import ServedModel, VectorModel
from chronoscore.measures.similarity.vector_cache import open_cache


def embed_texts(model: VectorModel, texts: Sequence[str]) -> Floats:
    """The vector of each text, of length 1; of an empty text, zeros."""
    distinct = [text for text in dict.fromkeys(texts) if text]
    if not distinct:
        return np.zeros((len(texts), 1))
    with open_cache() as cache:
        known = cache.find(model.identity, distinct)
        missing = [text for text in distinct if text not in known]
        if missing:
            known |= (computed := _compute_vectors(model, missing))
            cache.add(model.identity, computed)
    rows = np.stack([known[text] for text in distinct]).astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    places = {text: place for place, text in enumerate(distinct)}
    # The last row stands for texts without a word.
    padded = np.vstack([rows, np.zeros((1, rows.shape[1]))])
    found: Floats = padded[[places.get(text, len(distinct)) for text in texts]]
    return found


def _compute_vectors(model: VectorModel, texts: list[str]) -> dict[str, np.ndarray]:
    """Ask the model, and refuse vectors that cannot be compared."""
    if isinstance(model, ServedModel):
        warn(
            f"{number_with_noun(len(texts), 'text is', 'texts are')} sent to {model.revision} "
            f"for model '{model.model}'",
            kind="texts-sent",
        )
    rows = model.embed(texts)
    if rows.ndim != 2 or len(rows) != len(texts) or not rows.shape[1]:
        raise DataError(
            f"model '{model.model}': gave the shape {rows.shape} for {len(texts)} texts; "
            "use a model that gives a vector for each text"
        )
    if not np.isfinite(rows).all():
        raise DataError(f"model '{model.model}': a vector holds nan or infinity; use another model")
    return dict(zip(texts, rows, strict=True))
