"""Which measure notices what: every measure of timelines, on damaged copies of timeline17.

Half of what can be damaged in each gold timeline is, as `check --damage all` does it. A change is
given with its interval over timelines.
"""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path

from chronoscore.checks import Profile, Reaction, profile_measures, run_alterations
from chronoscore.checks.alterations import ALTERATIONS, Alteration, make_cases
from chronoscore.core import Collection, Timeline
from chronoscore.errors import ChronoscoreWarning
from chronoscore.formats.corpora import inputs
from chronoscore.measures import parse_measure_text
from chronoscore.options.checks import Altering
from chronoscore.reports.matrix import MARKS

MEASURES = (
    "concat",
    "concat(n=2)",
    "concat(prepare=google,stop=no)",
    "agreement",
    "align",
    "align+",
    "align+m1",
    "align+(similarity=mixed,credit=similarity)",
    "pairs",
    "pairs(similarity=mixed)",
    "dates",
    "contradictions",
)
SEEDS = (1, 2, 3, 4)


def main() -> str:
    """Measure, and give Markdown."""
    data = os.environ.get("CHRONOSCORE_DATA")
    if not data:
        return "# damages\n\nNot run: CHRONOSCORE_DATA is not set.\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        gold = inputs.load_reference_files([Path(data) / "timeline17" / "gold"], Timeline)
        every = [react(gold, seed) for seed in SEEDS]
        reactions = every[0]
        lines = [
            "# damages",
            "",
            *matrix_table(gold, reactions),
            *profile_table(profile_measures(reactions)),
            *seeds_table(every),
        ]
    return "\n".join([*lines, ""])


def react(gold: Collection, seed: int = Altering.seed) -> list[Reaction]:
    """What measures make of every damage."""
    measures = [parse_measure_text(name) for name in MEASURES]
    return run_alterations(measures, gold, ALTERATIONS, Altering(seed=seed))


def seeds_table(reactions: Sequence[Sequence[Reaction]]) -> list[str]:
    """How far the changes and verdicts of a measure differ between seeds."""
    lines = [
        f"With the seeds {', '.join(map(str, SEEDS))}: how far apart the changes of one damage are "
        "at most, the damages whose verdict is not the same with all seeds, and the two shares.",
        "",
        "| measure | largest difference | by | other verdicts | sensitivity | invariance |",
        "|---|---:|---|---|---:|---:|",
    ]
    profiles = [profile_measures(of_seed) for of_seed in reactions]
    for place, name in enumerate(MEASURES):
        own = [profile[place] for profile in profiles]
        by_damage = list(zip(*(one.reactions for one in own), strict=True))
        spreads = [max(r.change for r in row) - min(r.change for r in row) for row in by_damage]
        widest = max(range(len(spreads)), key=spreads.__getitem__)
        other = [row[0].test for row in by_damage if len({r.verdict for r in row}) > 1]
        shares = [
            sorted({f"{getattr(one, share):.2f}" for one in own})
            for share in ("sensitivity", "invariance")
        ]
        lines.append(
            f"| `{name}` | {spreads[widest]:.3f} | {by_damage[widest][0].test} "
            f"| {', '.join(other)} | {' | '.join('–'.join(s[:1] + s[1:][-1:]) for s in shares)} |"
        )
    return [*lines, ""]


def altered(gold: Collection, one: Alteration) -> str:
    """How much of all sentences or entries is altered, where texts and dates stay in place."""
    touched = sentences = 0
    for case in make_cases(gold, Altering()):
        copy = one.alter(case) if one.reads(case) else None
        sentences += len(case.timeline.sentences)
        if copy is None:
            continue
        if copy.dates != case.timeline.dates:
            return ""
        pairs = [
            (before, after)
            for entry, other in zip(case.timeline, copy, strict=True)
            for before, after in zip(entry.sentences, other.sentences, strict=False)
        ]
        touched += sum(before != after for before, after in pairs)
    return f"{touched / sentences:.0%}" if touched else ""


def matrix_table(gold: Collection, reactions: Sequence[Reaction]) -> list[str]:
    """The change by each damage, with its interval and a mark."""
    timelines = max(one.timelines for one in reactions)
    lines = [
        f"{timelines} gold timelines of timeline17, each against a copy of itself with a share of "
        f"{Altering().share:g} damaged (seed {Altering().seed}). Changes of F, and of all "
        "conflicts per 100 entries in `contradictions`; 95% intervals over timelines. "
        + ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items())
        + ".",
        "",
        f"| damage | kind | sentences altered | {' | '.join(f'`{name}`' for name in MEASURES)} |",
        "|---|---|---:|" + "---:|" * len(MEASURES),
    ]
    for one in ALTERATIONS:
        kind = "harmless" if one.harmless else "harm"
        cells = [_cell(reaction) for reaction in reactions if reaction.test == one.name]
        lines.append(f"| {one.name} | {kind} | {altered(gold, one)} | {' | '.join(cells)} |")
    return [*lines, ""]


def _cell(one: Reaction) -> str:
    """A change, its mark and its interval."""
    form = "+.1f" if one.measure.name == "contradictions" else "+.3f"
    mark = MARKS.get(one.fault or one.verdict, "")
    if abs(one.change) < 0.0005:
        return f"0 {mark}".strip()
    interval = f" [{one.low:{form}}, {one.high:{form}}]" if one.low == one.low else ""
    return f"{one.change:{form}}{f' {mark}' if mark else ''}{interval}"


def profile_table(profiles: Sequence[Profile]) -> list[str]:
    """Sensitivity, invariance, and the harm that costs less than something harmless."""
    lines = [
        "| measure | sensitivity | invariance | dearest harmless damage | harm that costs less |",
        "|---|---:|---:|---|---|",
    ]
    for name, profile in zip(MEASURES, profiles, strict=True):
        dearest = profile.dearest_harmless
        cheaper = ", ".join(one.test for one in profile.cheaper_harm)
        lines.append(
            f"| `{name}` | {profile.sensitivity:.2f} | {profile.invariance:.2f} "
            f"| {dearest.test if dearest else ''} | {cheaper} |"
        )
    return [*lines, ""]


if __name__ == "__main__":
    print(main())
