"""Texts with TIMEX3 dates by people, read without our own loaders, and figures against them."""

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from html import unescape
from pathlib import Path
from typing import NamedTuple

import pytest

Span = tuple[int, int, str]


class Tagged(NamedTuple):
    text: str
    spans: list[Span]
    on: str


class Figures(NamedTuple):
    """F1 of spans, and of spans with their values; exact, and for spans that share a character."""

    exact: float
    relaxed: float
    exact_value: float
    relaxed_value: float


def data(name: str) -> Path:
    root = os.environ.get("CHRONOSCORE_DATA")
    if not root:
        pytest.skip("CHRONOSCORE_DATA is unset; it names a folder of public research data")
    return Path(root) / name


def wikiwars() -> dict[str, Tagged]:
    folder = data("wikiwars") / "whole-tml" / "tml"
    return {path.stem: timeml(path) for path in sorted(folder.glob("*.tml"))}


def timeml(path: Path) -> Tagged:
    """The characters between <TEXT> and </TEXT>, with the dates tagged in them."""
    whole = path.read_text(encoding="utf-8")
    created = re.search(r'<DCT>.*?value="([^"]*)"', whole)
    assert created
    text, spans, start, value = "", [], 0, ""
    for part in re.split(r"(<[^>]+>)", whole.split("<TEXT>")[1].split("</TEXT>")[0]):
        if part.startswith("<TIMEX3"):
            start, found = len(text), re.search(r'value="([^"]*)"', part)
            value = found[1] if found else ""
        elif part.startswith("</TIMEX3"):
            spans.append((start, len(text), value))
        elif not part.startswith("<"):
            text += unescape(part)
    return Tagged(text, spans, created[1])


ANNOTATED = 5
"""MEANTIME's annotators stopped after the sentence with this number."""


def meantime() -> dict[str, Tagged]:
    folder = data("meantime") / "intra-doc_annotation"
    return {path.stem: newsreader(path) for path in sorted(folder.glob("*/*.xml"))}


def newsreader(path: Path) -> Tagged:
    """The annotated sentences, one a line, tokens set as print sets them."""
    root = ET.parse(path).getroot()
    text, places, line = "", {}, "0"
    for token in root.iter("token"):
        word, sentence = token.text or "", token.get("sentence", "")
        if int(sentence) > ANNOTATED:
            break
        if sentence != line:
            text += "\n"
        elif text and not re.match(r"[.,;:!?)%'’”]|n't", word) and text[-1] not in "($“":
            text += " "
        line = sentence
        places[token.get("t_id", "")] = (len(text), len(text) + len(word))
        text += word
    spans, on = set(), ""
    for timex in root.iter("TIMEX3"):
        value = timex.get("value") or ""
        if timex.get("functionInDocument") == "CREATION_TIME":
            on = on or value
        tokens = [places.get(anchor.get("t_id", "")) for anchor in timex.iter("token_anchor")]
        inside = [place for place in tokens if place]
        if inside and len(inside) == len(tokens):
            spans.add((min(inside)[0], max(inside)[1], value))
    return Tagged(text, sorted(spans), iso(on))


def iso(date: str) -> str:
    """A few files write the day first."""
    day_first = re.fullmatch(r"(\d\d)-(\d\d)-(\d{4})", date)
    return f"{day_first[3]}-{day_first[2]}-{day_first[1]}" if day_first else date[:10]


def figures(texts: Iterable[Tagged], find: Callable[[Tagged], list[Span]]) -> Figures:
    """Match each gold span with one found span; gold's "null" is a value left empty."""
    gold = found = 0
    hits = [0, 0, 0, 0]
    for text in texts:
        spans = find(text)
        gold, found = gold + len(text.spans), found + len(spans)
        free = set(spans)
        for start, end, value in text.spans:
            shared = sorted(span for span in free if span[0] < end and start < span[1])
            if not shared:
                continue
            best = next((span for span in shared if span[:2] == (start, end)), shared[0])
            free.remove(best)
            exact, right = best[:2] == (start, end), best[2] == value.replace("null", "")
            for number, hit in enumerate((exact, True, exact and right, right)):
                hits[number] += hit
    return Figures(*(2 * hit / (gold + found) for hit in hits))
