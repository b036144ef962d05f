"""Edges of cells that draw their own borders: where the pieces of rules meet, columns do."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line

JOINT_TOLERANCE_PT = 1.0
"""Distance of the ends of two pieces that meet, and of two such places that count as one."""
MAX_JOINTS = 60
"""Places where pieces of one rule meet; a rule with more is a dotted one."""
MIN_SHARING_RULES = 2
"""Rules with pieces that meet at a place; a place of one rule alone counts if no more than two have any."""


def joints_of(pieces: Sequence[Rule]) -> tuple[float, ...]:
    """Return the places where pieces of one rule meet, ascending.

    Args:
        pieces: Collinear rules, by start.
    """
    ends = sorted({piece.end for piece in pieces})
    joints: list[float] = []
    for piece in pieces:
        index = bisect_left(ends, piece.start - JOINT_TOLERANCE_PT)
        is_met = index < len(ends) and ends[index] <= piece.start + JOINT_TOLERANCE_PT
        if is_met and (not joints or piece.start > joints[-1] + JOINT_TOLERANCE_PT):
            joints.append(piece.start)
    return tuple(joints) if len(joints) <= MAX_JOINTS else ()


def shared_joints(rules: Iterable[Rule]) -> tuple[float, ...]:
    """Return the places where pieces of the rules of a table meet, ascending."""
    jointed = [rule.joints for rule in rules if rule.joints]
    if not jointed:
        return ()
    needed = MIN_SHARING_RULES if len(jointed) > MIN_SHARING_RULES else 1
    groups: list[list[float]] = []
    for joint in sorted(joint for joints in jointed for joint in joints):
        if groups and joint <= groups[-1][0] + JOINT_TOLERANCE_PT:
            groups[-1].append(joint)
        else:
            groups.append([joint])
    return tuple(group[0] for group in groups if len(group) >= needed)


def crosses_any(line: Line, walls: Sequence[float]) -> bool:
    """Return True if a word of a line crosses a wall."""
    # No `any` over pairs: where cells draw their own borders, this runs for all lines of a table, several times.
    for wall in walls:
        before, behind = wall - 1, wall + 1
        for word in line.words:
            if word.x0 < before and word.x1 > behind:
                return True
    return False


def fill_columns(lines: Sequence[Line], walls: Sequence[float], least: int = 2) -> bool:
    """Return True if words are in so many of the columns between walls, and none crosses a wall."""
    if not walls or any(crosses_any(line, walls) for line in lines):
        return False
    return len({bisect_left(walls, (word.x0 + word.x1) / 2) for line in lines for word in line.words}) >= least
