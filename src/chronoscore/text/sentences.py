"""Sentences of running text; the splitter is in `core`, where readers of files find it too."""

from chronoscore.core.sentences import Span, sentences_in, split

__all__ = ["Span", "sentences_in", "split"]
