"""Options that several words may follow, and options whose value may be left out."""

import click

from chronoscore.cli.derive import GroupedCommand

GREEDY = frozenset({"-r", "--reference", "--original", "--judgements", "--units", "--pool"}) | {
    *("--machine", "--systems")
}
"""Options that several words may follow."""


class GreedyCommand(GroupedCommand):
    """A command that takes `--reference A B C`, as a shell's `refs/*` gives it.

    Only after a system has been named: in `score --reference GOLD MINE` the last word
    is a system.
    """

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Repeat a greedy option before each of the words that follow its first."""
        arguments = self.fill_in(arguments)
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        spread: list[str] = []
        option, named, more = "", False, ""
        for word in arguments:
            if option:
                more = option if named and option in GREEDY else ""
                option = ""
            elif word.startswith("-") and word != "-":
                option = word if word in valued else ""
                more = ""
            elif more:
                spread.append(more)
            else:
                named = True
            spread.append(word)
        return super().parse_args(context, spread)

    def fill_in(self, arguments: list[str]) -> list[str]:
        """Write the usual value out where it may be left out, as after `--ceiling`."""
        usual = {
            name: (str(option.flag_value), option.type.choices)
            for option in self.params
            if isinstance(option, click.Option) and isinstance(option.type, click.Choice)
            if not option.is_flag and option.flag_value in option.type.choices
            for name in option.opts
        }
        filled: list[str] = []
        for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
            filled.append(word)
            if word in usual and following not in usual[word][1]:
                filled.append(usual[word][0])
        return filled
