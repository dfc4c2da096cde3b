"""The taskset `symscale-scaling`."""

from symscale.adapters.verifiers import ScalingTaskset

__all__ = ["ScalingTaskset"]
