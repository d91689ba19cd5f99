"""Public corpora by name, and which of them a folder holds."""

from chronoscore.data.arguments import OnePath
from chronoscore.data.values import as_path
from chronoscore.errors import DataError
from chronoscore.formats.corpora.known_corpora import CorpusMatch, KnownCorpus, find_corpora
from chronoscore.formats.corpora.known_corpora import known_corpora as known_corpora


def check_corpus(path: OnePath) -> list[CorpusMatch]:
    """The corpora that a folder holds, in whole or in part; a folder with none is refused."""
    place = as_path(path)
    found = find_corpora(place)
    if not found:
        raise DataError(
            "holds none of the corpora that are known here; chronoscore init looks at any folder",
            place=place,
        )
    return found


def describe_corpus(corpus: KnownCorpus) -> str:
    """A corpus in some lines: what it is, its license, where it is from, what scores on it."""
    command = corpus.command.format(path=corpus.name, year="2014")
    facts = {"license": corpus.license, "from": corpus.source, "run": command}
    lines = [f"{corpus.name}: {corpus.title}, {corpus.what}"]
    lines += [f"  {key:<8} {value}" for key, value in facts.items()]
    return "\n".join(lines)
