"""lm-evaluation-harness: the task `symscale_scaling`, in the YAML file of this directory.

lm_eval --include_path $(python -m symscale.adapters.lm_eval) --tasks symscale_scaling ...
"""
