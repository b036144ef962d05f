"""A Dockerfile, read as far as ours goes: stages, instructions in exec form, ENV and COPY."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    Attributes:
        name: Its name, in capitals.
        rest: What follows it, continuation lines joined.
    """

    name: str
    rest: str

    @property
    def command(self) -> list[str]:
        """The command of its exec form."""
        return json.loads(self.rest[self.rest.index("[") :])


def stages(file: Path) -> list[list[Instruction]]:
    """The instructions of each stage; those before the first are left out."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    instructions_by_stage: list[list[Instruction]] = []
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "FROM":
            instructions_by_stage.append([])
        if name and instructions_by_stage:
            instructions_by_stage[-1].append(Instruction(name.upper(), rest.strip()))
    return instructions_by_stage


def one(stage: list[Instruction], name: str) -> Instruction:
    """The only instruction of this name."""
    (only,) = [instruction for instruction in stage if instruction.name == name]
    return only


def environment(stage: list[Instruction]) -> dict[str, str]:
    """The variables that a stage sets."""
    words = (word for instruction in stage if instruction.name == "ENV" for word in shlex.split(instruction.rest))
    return dict(word.split("=", 1) for word in words)


def copied(stage: list[Instruction]) -> list[str]:
    """What a stage copies from the context."""
    words = [shlex.split(instruction.rest) for instruction in stage if instruction.name == "COPY"]
    return [source for parts in words if not parts[0].startswith("--from") for source in parts[:-1]]
