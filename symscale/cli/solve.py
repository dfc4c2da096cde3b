"""`symscale solve`."""

from __future__ import annotations

import click

from symscale.cli.output import catalog_of, json_option, show_result
from symscale.cli.values import exact_assignments, given_option


@click.command("solve")
@click.argument("condition", required=False)
@click.option("--for", "for_", required=True, metavar="NAME", help="What to solve for.")
@given_option
@click.option("--integer/--real", "integer", default=None, help="Whole numbers, or any.")
@click.option(
    "--cross", nargs=2, metavar="A B", help="Where two expressions meet, instead of a condition."
)
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    condition: str | None,
    for_: str,
    given: tuple[str, ...],
    integer: bool | None,
    cross: tuple[str, str] | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """The values of one quantity for which a comparison holds, or two expressions meet.

    \b
    symscale solve "matmul_intensity(B, D, F, s) > I" --for B --given D=4096 F=4096 s=2 I=250
    symscale solve "train_days < 30" --for n_devices --given n_params=7e10 n_tokens=2e12 \\
        peak_flops=4e14 mfu=0.4
    symscale solve --cross compute_seconds memory_seconds --for kernel_flops \\
        --given peak_flops=2e14 memory_traffic=1e9 hbm_bandwidth=8e11
    """
    if (condition is None) == (cross is None):
        raise click.UsageError("give either a condition or --cross A B")
    catalog, values = catalog_of(ctx), exact_assignments(given)
    if cross is not None:
        from symscale.engine.crossings import cross as cross_over
        from symscale.engine.documents import crossing_document

        crossing = cross_over(catalog, *cross, for_=for_, given=values, integer=bool(integer))
        document = crossing_document(crossing)
        show_result(crossing.data, document, as_json=as_json, markdown=markdown)
        return 0
    from symscale.engine.documents import solution_document
    from symscale.engine.solve import solve

    solution = solve(catalog, str(condition), for_=for_, given=values, integer=integer)
    document = solution_document(solution)
    show_result(solution.data, document, as_json=as_json, markdown=markdown)
    return 1 if solution.intervals == () else 0
