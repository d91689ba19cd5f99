"""What measures have in common that compare texts by a similarity of the user's choice."""

from collections.abc import Iterator
from typing import Self

from chronoscore.measures.measure import Measure
from chronoscore.measures.similarity.similarities import MatrixFunction, TextSimilarity


class SimilarityMeasure(Measure):
    """A measure whose parameter `similarity` says how alike two texts are.

    Each measure declares the parameter itself, at its place among its own.
    """

    similarity: TextSimilarity | MatrixFunction | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "similarity", TextSimilarity.of(self.similarity))
        super().__post_init__()

    @property
    def text_similarity(self) -> TextSimilarity:
        """The similarity as a value, whatever it was given as."""
        return TextSimilarity.of(self.similarity)

    @property
    def reads_documents(self) -> bool:
        """Whether the similarity weighs words by how rare they are in documents."""
        return self.text_similarity.reads_documents

    def sign_parameter(self, name: str) -> str:
        """The similarity is signed with the revision of its model."""
        if name == "similarity":
            return self.text_similarity.signature
        return super().sign_parameter(name)

    @classmethod
    def examples(cls) -> Iterator[Self]:
        """Also with other similarities."""
        yield from super().examples()
        for name in ("tfidf", "embed", "mixed", "soft"):
            yield cls(similarity=name)  # type: ignore[call-arg]
