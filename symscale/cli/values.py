"""`name=value` on the command line, as several options or as one with several words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class _Words(click.Option):
    """An option that takes the words after it that are like the first: `--given a=1 b=2`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "multiple": True, "type": str})

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        for name in self.opts:
            option = parser._long_opt.get(name)
            if option is not None:
                _take_words(option)


def _take_words(option: Any) -> None:
    process = option.process

    def take(value: str, state: Any) -> None:
        process(value, state)
        while state.rargs and not state.rargs[0].startswith("-"):
            if ("=" in state.rargs[0]) != ("=" in value):
                break
            process(state.rargs.pop(0), state)

    option.process = take


def words_option(name: str, **settings: Any) -> Callable[[F], F]:
    """A repeatable option that also takes several words at once."""
    return click.option(name, cls=_Words, **settings)


given_option = words_option(
    "--given",
    metavar="NAME=VALUE ...",
    help="What is known: bare numbers are in the quantity's unit, '2 GB' is converted.",
)


def assignments(words: tuple[str, ...]) -> dict[str, str | None]:
    """Values by name; a name alone is known without a value."""
    values: dict[str, str | None] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name.strip() or (equals and not value.strip()):
            raise click.UsageError(
                f"{word[:80]!r} is not a name with a value, such as n_params=7e10"
            )
        if name.strip() in values:
            raise click.UsageError(f"{name.strip()} is given twice")
        values[name.strip()] = value.strip() if equals else None
    return values


def exact_assignments(words: tuple[str, ...]) -> dict[str, str]:
    """The same where every name needs a value."""
    values = {}
    for name, value in assignments(words).items():
        if value is None:
            raise click.UsageError(f"{name} needs a value, such as {name}=8")
        values[name] = value
    return values
