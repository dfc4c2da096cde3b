"""The places that symscale plugs into, a file each. Their libraries are extras."""
