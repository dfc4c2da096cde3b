"""A model's text to a grade: exact, bounded in cost, with a reason for every cell."""

from symscale.grading.grader import grade as grade
from symscale.grading.grades import CellGrade as CellGrade
from symscale.grading.grades import Grade as Grade
from symscale.grading.reasons import REASONS as REASONS
from symscale.grading.reasons import Reason as Reason
