"""Rows in the layouts that people load: data sets on disk, whole or not there."""
