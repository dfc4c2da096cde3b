"""The command line. Each command is a file, imported when it is called.

One of them is `list`, which from then on is what that name means here: this file does without the
built-in.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from symscale.errors import SymscaleError

COMMANDS = {
    "verify": "Check the catalog, or a file of published keys, exactly.",
    "list": "List tasks, formulas, quantities, models or hardware.",
    "show": "Show a task, a formula, a quantity, hardware or a generated row.",
    "search": "Find anything of the catalog by words.",
    "model": "Count a model's parameters, bytes and FLOPs from its config.json.",
    "derive": "Derive a quantity from what is given, step by step.",
    "solve": "Find the values for which a comparison holds, or where two expressions meet.",
    "check": "Compare someone's formula with the catalog's.",
    "prove": "Prove or refute that two expressions are equal.",
    "identify": "Find the formulas and mistakes that give a published figure.",
    "generate": "Write variants of tasks, each with its exact key.",
    "grade": "Grade a file of answers against a file of keys.",
    "export": "Write a data set for Hugging Face, verl, Inspect, or as JSON lines.",
}
"""Every command with its line of help, so that `--help` imports none of them."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"symscale.cli.{name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 fine, 1 something does not hold, 2 usage, 3 a bad file.",
)
@click.option(
    "--catalog",
    "catalogs",
    multiple=True,
    metavar="DIR",
    help="Layer a catalog directory over the one that comes with symscale (repeatable).",
)
@click.version_option(package_name="symscale")
@click.pass_context
def cli(ctx: click.Context, catalogs: Sequence[str]) -> None:
    """Exact symbolic derivations for the arithmetic of scaling machine-learning models."""
    if "" in catalogs:
        raise click.UsageError("--catalog is a directory")
    ctx.obj = tuple(catalogs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; errors become one line on stderr and an exit status."""
    try:
        status: Any = cli.main(
            arguments if arguments is None else [*arguments],
            prog_name="symscale",
            standalone_mode=False,
        )
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("interrupted", err=True)
        return 130
    except SymscaleError as error:
        click.echo(f"symscale: {error}", err=True)
        return error.exit_status
    except BrokenPipeError:
        sys.stderr.close()
        return 0
