"""Hard instances: choosing sentences is as hard as dominating a graph.

Schluter (2017) turns a cubic graph into a document: a sentence for each vertex that names it
and its three neighbors. The reference names every vertex once, so a text of k sentences
has as many hits as k vertices dominate. For runs of n words a dummy is repeated n − 1 times
before, between and after the names; a sentence then has 4 + 5 (n − 1) words.
"""

import random
from dataclasses import dataclass

import numpy as np

from chronoscore.core import Summary, Topic
from chronoscore.core.texts import Document, Sentence
from chronoscore.errors import UsageError
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.oracles.program import ConstraintRows
from chronoscore.oracles.solvers import Effort, Program, solve_program
from chronoscore.oracles.summaries import Oracle
from chronoscore.text.preparation import Limit

Graph = dict[int, tuple[int, ...]]
DUMMY = "d"


@dataclass(frozen=True)
class HardInstance:
    """A topic made from a graph, with the measure and budget that make it hard.

    The reference must stay whole: the budget would cut some of its vertices off.
    """

    graph: Graph
    dominators: int
    topic: Topic
    measure: Rouge
    budget: Limit

    def count_dominated(self, vertices: "set[int] | frozenset[int]") -> int:
        """How many vertices these and their neighbors are."""
        return len(set(vertices).union(*(self.graph[vertex] for vertex in vertices)))


@dataclass(frozen=True)
class SolvedInstance:
    """A hard instance, its solution, and how many vertices the graph lets dominate."""

    instance: HardInstance
    oracle: Oracle
    dominating: int
    """The most that can be dominated, found from the graph."""

    @property
    def dominated(self) -> int:
        """How many vertices the chosen sentences dominate."""
        return round(self.oracle.value * len(self.instance.graph))

    @property
    def contradicted(self) -> bool:
        """Whether an exact oracle proved another number than the graph has."""
        proved = self.oracle.method.startswith("exact") and self.oracle.gap == 0
        return proved and self.dominated != self.dominating


def hard_instance(
    vertices: int, *, n: int = 1, dominators: int | None = None, seed: int = 1
) -> HardInstance:
    """Make an instance from a random cubic graph.

    Without a number of dominators it is just short of a quarter of the vertices, where
    not all can be dominated and the search is hardest.
    """
    if vertices < 4 or vertices % 2:
        raise UsageError(f"{vertices} vertices: a cubic graph has an even number, 4 or more")
    if n < 1:
        raise UsageError(f"n={n}: n counts words; write 1 or more")
    graph = cubic_graph(vertices, seed)
    size = max(1, vertices // 4 - 1) if dominators is None else dominators
    if not 1 <= size <= vertices:
        raise UsageError(f"{size} dominators: write a number from 1 to {vertices}")
    names = _vertex_names(vertices)
    sentences = [
        _pad_with_dummies([names[v] for v in sorted((vertex, *graph[vertex]))], n)
        for vertex in graph
    ]
    document = Document(
        id="graph",
        sentences=tuple(Sentence(f"graph-s{v + 1:02}", text) for v, text in enumerate(sentences)),
    )
    topic = Topic(
        id=f"hard-{vertices}-{n}-{seed}",
        summaries=(Summary((_pad_with_dummies([names[v] for v in graph], n),), "vertices"),),
        documents=(document,),
    )
    # The paper's text once says 2 · 4k for n = 2; its own sentences have 9 words.
    budget = Limit(size * (4 + 5 * (n - 1)), "words")
    return HardInstance(graph, size, topic, Rouge(n=n), budget)


def _pad_with_dummies(names: list[str], n: int) -> str:
    """Names with the dummy n − 1 times before, between and after them.

    >>> _pad_with_dummies(["v1", "v2"], 2)
    'd v1 d v2 d'
    """
    gap = [DUMMY] * (n - 1)
    words = list(gap)
    for name in names:
        words += [name, *gap]
    return " ".join(words)


def _vertex_names(vertices: int) -> list[str]:
    """A name for each vertex, all of the same length."""
    width = len(str(vertices))
    return [f"v{vertex:0{width}}" for vertex in range(1, vertices + 1)]


def cubic_graph(vertices: int, seed: int) -> Graph:
    """A random graph in which every vertex has three neighbors.

    Three copies of each vertex are paired at random until no vertex meets itself or the
    same one twice.
    """
    rng = random.Random(seed)
    copies = [vertex for vertex in range(vertices) for _ in range(3)]
    while True:
        rng.shuffle(copies)
        edges = {frozenset(pair) for pair in zip(copies[::2], copies[1::2], strict=True)}
        if len(edges) == 3 * vertices // 2 and all(len(edge) == 2 for edge in edges):
            break
    neighbors: dict[int, set[int]] = {vertex: set() for vertex in range(vertices)}
    for one, other in map(tuple, edges):
        neighbors[one].add(other)
        neighbors[other].add(one)
    return {vertex: tuple(sorted(near)) for vertex, near in neighbors.items()}


def most_dominated(graph: Graph, dominators: int) -> int:
    """How many vertices the given number of them can dominate at most, from the graph alone."""
    from scipy.sparse import csr_array

    size = len(graph)
    rows = ConstraintRows()
    rows.add([(vertex, 1.0) for vertex in graph], dominators)
    for vertex, near in graph.items():
        rows.add([(size + vertex, 1.0), *((other, -1.0) for other in (vertex, *near))])
    matrix = csr_array((rows.value, (rows.row, rows.column)), shape=(size + 1, 2 * size))
    gains = np.repeat([0.0, 1.0], size)
    # The number is whole, so that less than one from the bound is the best.
    found = solve_program(
        Program(gains, matrix, np.array(rows.most), np.ones(2 * size), gains == 0.0),
        Effort(None, 0.99 / size),
    )
    assert found.values is not None
    return round(float(gains @ found.values))
