"""Sentences of running text; the splitter is in `core`, where readers of files find it too."""

from chronoscore.core.sentences import Span, sentences_in, split_into_sentences

__all__ = ["Span", "sentences_in", "split_into_sentences"]
