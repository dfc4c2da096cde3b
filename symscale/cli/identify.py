"""`symscale identify`."""

from __future__ import annotations

import click

from symscale.cli.output import catalog_of, json_option, show_result
from symscale.cli.values import exact_assignments, given_option


@click.command("identify")
@click.argument("figure", nargs=-1, required=True)
@given_option
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    figure: tuple[str, ...],
    given: tuple[str, ...],
    markdown: bool,
    as_json: bool,
) -> int:
    """The formulas and mistakes that give a published figure.

    \b
    symscale identify 9.8e11 byte --given n_params=7e10
    symscale identify 92160 byte/token --given n_layers=36 n_heads=32 n_kv_heads=8 \\
        d_model=2560 d_head=128 bytes_per_element=2
    """
    from symscale.engine.documents import identified_document
    from symscale.engine.identify import identify

    found = identify(catalog_of(ctx), " ".join(figure), given=exact_assignments(given))
    show_result(found.data, identified_document(found), as_json=as_json, markdown=markdown)
    return 0 if found.matches else 1
