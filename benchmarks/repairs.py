"""How many programs does `tensorwhy fix --write` repair without help?

Each program is copied, with what lies beside it, and `fix --write` runs on the copy as a user would run it. A program
counts as repaired when, run again afterwards, it ends well and nothing is reported. Healthy programs must stay as they
are. Results are written to benchmarks/results/repairs.json.

    python benchmarks/repairs.py [--limit SECONDS] [FOLDER_OR_FILE...]     (default: the long examples)
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "repairs.json"

_NO_REPORT = [{"code": "no report", "severity": "error"}]


def programs(given: list[str]) -> list[Path]:
    """The broken programs in some folders: `broken*.py`, `main.py`, and files of tests/programs."""
    found: list[Path] = []
    for path in map(Path, given):
        if path.is_file():
            found.append(path)
            continue
        for file in sorted(path.rglob("*.py")):
            inside = next((each for each in file.parents if (each / "main.py").exists()), None)
            named = file.name.startswith("broken") or "programs" in file.parts
            if file.name == "main.py" or (inside is None and named):
                found.append(file)
    return [file.resolve() for file in found]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-m", "tensorwhy", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def tried(program: Path, limit: float) -> dict[str, object]:
    """What became of one program."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, program.parent.name)
        if program.name == "main.py":
            shutil.copytree(program.parent, folder)
        else:
            folder.mkdir()
            shutil.copy(program, folder)
        copy = folder / program.name
        before = {file: file.read_text(encoding="utf-8") for file in folder.rglob("*.py")}
        fixed = run("fix", "--write", "--time-limit", str(limit), copy.name, cwd=folder)
        changed = any(file.read_text(encoding="utf-8") != text for file, text in before.items())
        written = Path(place, "report.json")
        after = run("run", "--no-experiments", "--format", "json", "--output", str(written), copy.name, cwd=folder)
        report = json.loads(written.read_text()) if written.exists() else {"diagnoses": _NO_REPORT}
        grave = [each["code"] for each in report["diagnoses"] if each["severity"] != "note"]
    codes = sorted(set(re.findall(r"(?:error|warning)\[(TW\d+)", fixed.stderr)))
    outcome = "repaired" if changed and not grave and after.returncode == 0 else "changed" if changed else "unchanged"
    return {
        "program": str(program.relative_to(ROOT)),
        "codes": codes,
        "outcome": outcome,
        "left": grave,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=120.0)
    parser.add_argument("paths", nargs="*", default=[str(ROOT / "examples")])
    arguments = parser.parse_args()
    results = []
    for program in programs(arguments.paths):
        results.append(tried(program, arguments.limit))
        print(json.dumps(results[-1]), flush=True)
    known = {each["program"]: each for each in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    known |= {str(each["program"]): each for each in results}
    RESULTS.write_text(json.dumps(sorted(known.values(), key=lambda each: each["program"]), indent=1) + "\n")
    counts = Counter(str(each["outcome"]) for each in results)
    print(f"{counts['repaired']} of {len(results)} repaired; {dict(counts)}")


if __name__ == "__main__":
    main()
