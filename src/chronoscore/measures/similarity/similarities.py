"""The similarities to choose from, as values that parse and print themselves."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from chronoscore.align.dates import Floats, Places
from chronoscore.core import Topic
from chronoscore.errors import UsageError, WrongTypeError, describe_type
from chronoscore.measures.function import call_function
from chronoscore.measures.language import Notation, Spec, read_arguments, read_measure_spec
from chronoscore.measures.measure import divide_tallies, spell_parameter
from chronoscore.measures.similarity.material import Material
from chronoscore.registry import Registry, load_own

if TYPE_CHECKING:
    from chronoscore.measures.similarity.models import VectorModel
    from chronoscore.measures.similarity.value_table import ValueTable

MatrixFunction: TypeAlias = Callable[[list[str], list[str]], Any]
"""Takes a system's texts and the references', gives a matrix: a row for each of the system's."""

DIGITS = 9
"""Similarities are rounded, so that the order in which a product is added up cannot show."""
NOTATION = Notation(
    "similarity", "words, tfidf, embed, mixed, soft, file(path=...) or module:function"
)


@dataclass(frozen=True)
class TextSimilarity(ABC):
    """How alike a system's text and a reference's are, from 0 to 1."""

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    """The extra that has to be installed, if any."""
    reads_documents: ClassVar[bool] = False
    by_rows: ClassVar[bool] = True
    """Whether the texts of systems may be compared a few at a time."""
    usual_threshold: ClassVar[float] = 0.5
    """From here on two texts say the same, more or less; the benchmark `meaning` measures it."""

    @abstractmethod
    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Compare every text of the systems' with every one of the references'."""

    @property
    def signature(self) -> str:
        """What it is called, with the revision of the model or data behind it."""
        return str(self)

    @classmethod
    def parse(cls, text: str) -> "TextSimilarity":
        """Read a name with its parameters, as in `embed(model=models/minilm)`."""
        return cls.from_spec(read_measure_spec(text, NOTATION))

    @classmethod
    def from_spec(cls, spec: Spec) -> "TextSimilarity":
        """Make the similarity that a measure's text names."""
        own = ":" in spec.name
        kind = load_own(spec.name, "similarity") if own else SIMILARITIES.find(spec.name)
        if not (isinstance(kind, type) and issubclass(kind, TextSimilarity)):
            if spec.arguments:
                raise UsageError(f"similarity '{spec.name}' takes no parameters; leave them out")
            return UserSimilarity(spec.name, kind)
        if spec.part or spec.cutoff:
            raise UsageError(f"similarity '{spec.name}' has no parts; leave out what follows it")
        known = [field.name for field in fields(kind)]
        return kind(**read_arguments(spec, kind, known, _refuse_measure, "similarity"))

    @classmethod
    def of(cls, given: "TextSimilarity | MatrixFunction | str") -> "TextSimilarity":
        """Take a similarity, its text, or a function."""
        if isinstance(given, TextSimilarity):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        if not callable(given):
            raise WrongTypeError(
                f"{describe_type(given)} is not a similarity; give its name or a function"
            )
        name = f"{given.__module__}:{getattr(given, '__qualname__', type(given).__name__)}"
        return UserSimilarity(name, given)

    def __str__(self) -> str:
        chosen = [
            spell_parameter(field.name, getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({','.join(chosen)})" if chosen else self.name


def _refuse_measure(spec: Spec) -> Any:
    """A similarity has no measure inside."""
    raise UsageError(f"similarity: '{spec.name}(…)' is not a value; write a plain one")


@dataclass(frozen=True)
class Words(TextSimilarity):
    """ROUGE-1 F of the two texts."""

    name: ClassVar[str] = "words"
    usual_threshold: ClassVar[float] = 0.25

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Divide twice the shared words by all words."""
        shared = shared_words(material, systems, references)
        words = material.lengths[systems][:, None] + material.lengths[references]
        return complete(divide_tallies(2 * shared, words), material, systems, references)


@dataclass(frozen=True)
class TfIdf(TextSimilarity):
    """Cosine of weighted words, the rarer in the topic's references and documents the heavier."""

    name: ClassVar[str] = "tfidf"
    reads_documents: ClassVar[bool] = True
    usual_threshold: ClassVar[float] = 0.2

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Weigh the words and multiply."""
        weights = material.word_weights(topic)
        squares = material.word_counts.multiply(material.word_counts) @ weights**2
        products = (material.word_counts[systems] * weights**2) @ material.word_counts[references].T
        sizes = np.sqrt(squares[systems][:, None] * squares[references])
        return complete(divide_tallies(products.toarray(), sizes), material, systems, references)


@dataclass(frozen=True)
class Embed(TextSimilarity):
    """Cosine of sentence vectors.

    `model` is `wordllama`, a folder with a sentence-transformers model, or the name of a model
    that the OpenAI-compatible server at `endpoint` has.
    """

    name: ClassVar[str] = "embed"
    extra: ClassVar[str] = "embed"
    usual_threshold: ClassVar[float] = 0.45
    model: str = "wordllama"
    endpoint: str | None = None

    def __post_init__(self) -> None:
        from chronoscore.measures.similarity.models import check_endpoint

        if self.endpoint is not None:
            check_endpoint(self.endpoint)

    @property
    def vector_model(self) -> "VectorModel":
        """The model behind the vectors."""
        from chronoscore.measures.similarity.models import find_model

        return find_model(self.model, self.endpoint)

    @property
    def signature(self) -> str:
        """The model with its revision."""
        where = "" if self.endpoint is None else f",endpoint={self.endpoint}"
        return f"{self.name}(model={self.model}@{self.vector_model.revision}{where})"

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Multiply vectors of length 1."""
        return complete(self.cosines(material, systems, references), material, systems, references)

    def cosines(self, material: Material, systems: Places, references: Places) -> Floats:
        """The cosines; a negative one counts as 0."""
        vectors = material.vectors(self.vector_model)
        products: Floats = np.maximum(vectors[systems] @ vectors[references].T, 0.0)
        return products


@dataclass(frozen=True)
class Mixed(Embed):
    """Mean of word recall (which of the reference's words the system has) and cosine of vectors."""

    name: ClassVar[str] = "mixed"
    usual_threshold: ClassVar[float] = 0.5

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Average the two."""
        shared = shared_words(material, systems, references)
        recall = divide_tallies(shared, np.broadcast_to(material.lengths[references], shared.shape))
        mean = (recall + self.cosines(material, systems, references)) / 2
        return complete(mean, material, systems, references)


@dataclass(frozen=True)
class FromFile(TextSimilarity):
    """Values from a table of pairs of texts, so that scoring needs no model."""

    name: ClassVar[str] = "file"
    path: str = ""

    def __post_init__(self) -> None:
        if not self.path:
            raise UsageError(
                "similarity=file: the table is missing; write similarity=file(path=values.jsonl)"
            )

    @property
    def value_table(self) -> "ValueTable":
        """The table, read once."""
        from chronoscore.measures.similarity.value_table import load_values

        return load_values(self.path)

    @property
    def signature(self) -> str:
        """The file with a digest of what it says."""
        return f"{self.name}(path={self.path}@{self.value_table.digest})"

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Look every pair up."""
        ours, theirs = _texts_at(material, systems), _texts_at(material, references)
        return _round_values(self.value_table.lookup(ours, theirs, topic.id))


@dataclass(frozen=True)
class UserSimilarity(TextSimilarity):
    """What a user's function returns; it gets all texts of a topic at once."""

    by_rows: ClassVar[bool] = False
    target: str
    function: MatrixFunction

    def compare(
        self, material: Material, systems: Places, references: Places, topic: Topic
    ) -> Floats:
        """Call the function once, and check what it returns."""
        if not len(systems) or not len(references):
            return np.zeros((len(systems), len(references)))
        where = f"similarity '{self.target}', topic '{topic.id}'"
        ours, theirs = _texts_at(material, systems), _texts_at(material, references)
        given = call_function(where, self.function, ours, theirs)
        try:
            values = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise UsageError(
                "the function returned no matrix; return numbers", place=where
            ) from None
        if values.shape != (len(systems), len(references)):
            raise UsageError(
                f"the function returned the shape {values.shape}, not "
                f"{(len(systems), len(references))}; return a row for each of the system's texts",
                place=where,
            )
        if not (np.abs(values) <= 1).all():
            raise UsageError("the function returned a value outside −1 to 1; scale it", place=where)
        return _round_values(values)

    def __str__(self) -> str:
        return self.target


def _adopt(found: Any, name: str) -> type[TextSimilarity] | MatrixFunction:
    """What a package brings: a subclass of TextSimilarity, or a function."""
    if not callable(found):
        raise UsageError("it is neither a subclass of TextSimilarity nor a function")
    if isinstance(found, type) and issubclass(found, TextSimilarity) and found.name != name:
        raise UsageError(f"the class calls itself '{found.name}'; give both the same name")
    kind: type[TextSimilarity] | MatrixFunction = found
    return kind


SIMILARITIES: Registry[type[TextSimilarity] | MatrixFunction] = Registry(
    "similarity",
    "chronoscore.similarities",
    {kind.name: f"{__name__}:{kind.__name__}" for kind in (Words, TfIdf, Embed, Mixed, FromFile)}
    | {"soft": "chronoscore.measures.similarity.soft:Soft"},
    _adopt,
    hint=", or write module:function",
)
WORDS = Words()


def shared_words(material: Material, systems: Places, references: Places) -> Floats:
    """How many words each two texts share."""
    from chronoscore.engine import overlap

    shared: Floats = (
        overlap.count_all(material.batch, systems, references).toarray().astype(np.float64)
    )
    return shared


def complete(values: Floats, material: Material, systems: Places, references: Places) -> Floats:
    """Round, and let equal texts be wholly alike, even where none of their words counts.

    A text without a letter or figure is like none.
    """
    whole = np.where(material.same_texts(systems, references), 1.0, _round_values(values))
    whole[material.string_numbers[systems] < 0] = 0.0
    whole[:, material.string_numbers[references] < 0] = 0.0
    return whole


def _round_values(values: Floats) -> Floats:
    """Similarities from 0 to 1, rounded."""
    return np.asarray(np.round(np.clip(values, 0.0, 1.0), DIGITS), dtype=np.float64)


def _texts_at(material: Material, places: Places) -> list[str]:
    """The texts of some numbers."""
    return [material.strings[place] for place in places.tolist()]
