"""TREC-TS 2013 and 2015 a second time: from raw lines to the official columns, slow and plain.

Nothing of the package is used, so that an error of the readers or of the measure shows.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

HALF_LIFE = 6 * 3600


@dataclass
class Tables:
    """The lines of the tables without their headings, and of the runs."""

    nuggets: Sequence[str]
    updates: Sequence[str]
    matches: Sequence[str]
    runs: Sequence[str]
    pool: Sequence[str] = ()
    duplicates: Sequence[str] = ()
    updates_only: bool = False
    ignore_unsampled: bool = False


@dataclass
class Told:
    """What happens with one line of a run."""

    gain: float = 0.0
    latent: float = 0.0
    late: float = 0.0
    count: int = 0
    cost: float = 0.0
    sure: float = 0.0
    nuggets: list[str] = field(default_factory=list)


def bare(topic: str) -> str:
    return re.sub(r"^TS[0-9]+\.", "", topic)


def score(tables: Tables) -> dict[tuple[str, str], dict[str, float]]:
    """All columns by system and topic number."""
    topics = {bare(line.split()[0]) for line in tables.runs}
    results = {}
    for topic in topics:
        results |= score_topic(tables, topic)
    return results


def rows(lines: Iterable[str], topic: str, strip: bool = True) -> list[list[str]]:
    split = [(line.strip() if strip else line).split("\t") for line in lines]
    return [one for one in split if bare(one[0]) == topic]


def score_topic(tables: Tables, topic: str) -> dict[tuple[str, str], dict[str, float]]:
    matches = rows(tables.matches, topic, strip=False)
    named = {match[2] for match in matches}
    nuggets = {
        n[1]: {"time": float(n[2]), "worth": math.exp(float(n[3]) - 3), "text": " ".join(n[5:])}
        for n in rows(tables.nuggets, topic)
        if n[1] in named and float(n[3]) > 0
    }
    updates = {u[1]: (u[5], " ".join(u[6:])) for u in rows(tables.updates, topic)}
    if not nuggets or not updates:
        return {}
    first: dict[str, float] = {}
    for line in [*tables.runs, *tables.pool]:
        query, _, _, document, sentence, time, *_ = line.split()
        name = f"{document}-{sentence}"
        if bare(query) == topic and name in updates:
            for told in {name, updates[name][0]} & set(updates):
                first[told] = min(first.get(told, math.inf), float(time))
    known = {n: math.inf if tables.updates_only else float(v["time"]) for n, v in nuggets.items()}
    for match in matches:
        if match[2] in nuggets and match[1] in updates:
            for told in (match[1], updates[match[1]][0]):
                known[match[2]] = min(known[match[2]], first.get(told, math.inf))
    mean = sum(str(n["text"]).count(" ") + 1 for n in nuggets.values()) / len(nuggets)
    systems: dict[str, list[list[str]]] = {}
    for line in tables.runs:
        fields = line.split()
        if bare(fields[0]) == topic:
            systems.setdefault(f"{fields[1]}-{fields[2]}", []).append(fields)
    worths = sorted((float(n["worth"]) for n in nuggets.values()), reverse=True)
    found = {}
    for system, lines in systems.items():
        told = walk(tables, lines, nuggets, updates, matches, known, mean)
        found[system, topic] = columns(told, worths)
    return found


def walk(
    tables: Tables,
    lines: list[list[str]],
    nuggets: dict[str, dict[str, float | str]],
    updates: dict[str, tuple[str, str]],
    matches: list[list[str]],
    known: dict[str, float],
    mean: float,
) -> list[Told]:
    twins = {}
    for pair in (line.split() for line in tables.duplicates):
        twins[pair[0]], twins[pair[1]] = pair[1], pair[0]
    sure = [1000.0 if float(one[6]) == math.inf else float(one[6]) for one in lines]
    low, high = min(sure), max(sure)
    seen: set[str] = set()
    found = []
    for place in sorted(range(len(lines)), key=lambda place: float(lines[place][5])):
        one = Told(sure=0.5 if low == high else (sure[place] - low) / (high - low))
        name = f"{lines[place][3]}-{lines[place][4]}"
        sampled = name if name in updates else twins.get(name, "")
        if sampled in updates:
            if updates[sampled][0] in updates:
                name = sampled = updates[sampled][0]
            text = updates[sampled][1]
            covered: set[int] = set()
            for match in matches:
                if match[1] == name and match[2] in nuggets and match[2] not in seen:
                    seen.add(match[2])
                    covered |= words_between(text, int(match[3]), int(match[4]))
                    worth = float(nuggets[match[2]]["worth"])
                    delay = float(lines[place][5]) - known[match[2]]
                    left = 1 - 2 / math.pi * math.atan2(delay, HALF_LIFE)
                    one.gain += worth
                    one.latent += worth * left
                    one.late += left
                    one.count += 1
            one.cost = 1 + (text.count(" ") + 1 - len(covered)) / mean
        elif tables.ignore_unsampled:
            continue
        else:
            one.cost = 1 + 1 / mean
        found.append(one)
    return found


def words_between(text: str, start: int, end: int) -> set[int]:
    """Numbers of the words from the blank before a span's start to the blank after its end."""
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    before = [place for place in spaces if place <= start]
    after = [place for place in spaces if place >= end]
    head = sum(place < before[-1] for place in spaces) if before else 0
    tail = sum(place < (after[0] if after else len(text)) for place in spaces)
    return set(range(head, tail))


def columns(told: list[Told], worths: list[float]) -> dict[str, float]:
    best = worths[: min(len(worths), len(told))] or worths
    ideal, wanted, cost = sum(best) / len(best), sum(worths), sum(one.cost for one in told)
    result: dict[str, float] = {"updates": float(len(told))}
    for prefix in ("", "c"):
        weights = [one.sure if prefix else 1.0 for one in told]
        gain, latent, late, price = (
            sum(weight * getattr(one, what) for weight, one in zip(weights, told, strict=True))
            for what in ("gain", "latent", "late", "cost")
        )
        per = len(told) if prefix else sum(one.count for one in told)
        parts = {
            "E[G]": gain / cost if told else 0.0,
            "nE[G]": gain / cost / ideal if told else 0.0,
            "E[LG]": latent / cost if told else 0.0,
            "nE[LG]": latent / cost / ideal if told else 0.0,
            "C": gain / wanted,
            "LC": latent / wanted,
            "verbosity": price / len(told) if told else 0.0,
            "latency": late / per if per else 0.0,
        }
        total = parts["nE[LG]"] + parts["LC"]
        parts["H"] = 2 * parts["nE[LG]"] * parts["LC"] / total if total else 0.0
        result |= {prefix + part: value for part, value in parts.items()}
    return result


def score_2013(tables: Tables, *, binary: bool = False) -> dict[tuple[str, str], dict[str, float]]:
    """The columns of 2013: every nugget counts, and lengths are those of the tables."""
    runs: dict[tuple[str, str], list[list[str]]] = {}
    for line in tables.runs:
        fields = line.split()
        runs.setdefault((f"{fields[1]}-{fields[2]}", bare(fields[0])), []).append(fields)
    found = {}
    for (system, topic), lines in runs.items():
        rows = {
            name: [split for line in given if bare((split := line.split())[0]) == topic]
            for name, given in (("n", tables.nuggets), ("u", tables.updates), ("m", tables.matches))
        }
        nuggets = {
            n[1]: Nugget(
                float(n[2]), float(n[3] != "0") if binary else math.exp(float(n[3]) - 3), int(n[4])
            )
            for n in rows["n"]
        }
        updates = {u[1]: (int(u[4]), u[5], " ".join(u[6:])) for u in rows["u"]}
        told = walk_2013(lines, nuggets, updates, rows["m"])
        found[system, topic] = columns_2013(told, sum(n.worth for n in nuggets.values()))
    return found


class Nugget(NamedTuple):
    time: float
    worth: float
    length: int


def walk_2013(
    lines: list[list[str]],
    nuggets: dict[str, Nugget],
    updates: dict[str, tuple[int, str, str]],
    matches: list[list[str]],
) -> list[Told]:
    mean = sum(nugget.length for nugget in nuggets.values()) / len(nuggets)
    seen: set[str] = set()
    told: list[Told] = []
    for line in sorted(lines, key=lambda line: float(line[5])):
        name = f"{line[3]}-{line[4]}"
        if name not in updates:
            continue
        name = updates[name][1] if updates[name][1] in updates else name
        length, _, text = updates[name]
        one = Told(sure=1000.0 if float(line[6]) == math.inf else float(line[6]))
        covered: set[int] = set()
        for match in matches:
            if match[1] == name and match[2] in nuggets and match[2] not in seen:
                seen.add(match[2])
                covered |= words_between(text, int(match[3]), int(match[4]))
                nugget = nuggets[match[2]]
                left = 0.95 ** ((float(line[5]) - nugget.time) / HALF_LIFE)
                one.gain += nugget.worth
                one.latent += nugget.worth * left
                one.late += left
                one.count += 1
        one.cost = 1 + max(0, length - len(covered)) / mean
        told.append(one)
    return told


def columns_2013(told: list[Told], wanted: float) -> dict[str, float]:
    cost, matched = sum(one.cost for one in told), sum(one.count for one in told)
    result: dict[str, float] = {"updates": float(len(told))}
    for prefix in ("", "c"):
        weights = [one.sure if prefix else 1.0 for one in told]
        per = sum(weights) if prefix else 1.0
        for part, what, share in (
            ("E[G]", "gain", cost),
            ("E[LG]", "latent", cost),
            ("C", "gain", wanted),
            ("LC", "latent", wanted),
            ("verbosity", "cost", len(told)),
            ("latency", "late", matched),
        ):
            total = sum(w * getattr(one, what) for w, one in zip(weights, told, strict=True))
            result[prefix + part] = total / (share * per) if share * per > 0 else 0.0
    return result
