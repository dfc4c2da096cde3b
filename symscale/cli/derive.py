"""`symscale derive`."""

from __future__ import annotations

import click

from symscale.cli.output import catalog_of, json_option, show_result
from symscale.cli.values import assignments, given_option


@click.command("derive")
@click.argument("target")
@given_option
@click.option(
    "--assume",
    multiple=True,
    metavar="FORMULA",
    help="Take what this formula gives from it and from no rival (repeatable).",
)
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    target: str,
    given: tuple[str, ...],
    assume: tuple[str, ...],
    markdown: bool,
    as_json: bool,
) -> int:
    """Derive a quantity, or a formula's result, from what is given.

    \b
    symscale derive train_days --given n_params=7e10 n_tokens=2e12 n_devices=1024 \\
        peak_flops="4e14 flop/s/device" mfu=0.4
    symscale derive adam_state_bytes_zero --given adam_state_bytes_seed="980 GB"
    symscale derive train_days --given n_params n_tokens n_devices peak_flops mfu
    """
    from symscale.engine.derive import derive
    from symscale.engine.documents import derived_document

    derived = derive(catalog_of(ctx), target, given=assignments(given), assume=assume)
    show_result(derived.data, derived_document(derived), as_json=as_json, markdown=markdown)
    return 0
