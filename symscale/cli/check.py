"""`symscale check`."""

from __future__ import annotations

import click

from symscale.cli.output import catalog_of, json_option, show_result
from symscale.cli.values import exact_assignments, words_option


@click.command("check")
@click.argument("formula")
@click.argument("entry")
@words_option("--map", metavar="NAME=QUANTITY ...", help="What a name of the formula stands for.")
@click.option("--unit", help="The unit of the formula's value (default: the entry's).")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    formula: str,
    entry: str,
    map: tuple[str, ...],
    unit: str | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Is a formula the catalog's entry? If not, by what it differs.

    \b
    symscale check "2*L*n_heads*d_head*S*B*b" kv_cache_bytes
    symscale check "6*N*D" train_flops --map D=n_tokens
    """
    from symscale.engine.compare import check
    from symscale.engine.documents import comparison_document

    comparison = check(catalog_of(ctx), formula, entry, names_are=exact_assignments(map), unit=unit)
    document = comparison_document(comparison)
    show_result(comparison.data, document, as_json=as_json, markdown=markdown)
    return 0 if comparison.equivalent else 1
