"""Make the pictures of the README from real runs: `python scripts/pictures.py` writes them to docs/_static.

terminal.svg is what `tensorwhy run` says in a terminal of 100 columns, report.png the page of `--format html`. The page
needs Chromium (scripts/chromium) and the `look` extra.
"""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "examples/frozen_by_accident.py"
FOLDER = ROOT / "docs" / "_static"
TERMINAL, PICTURE = FOLDER / "terminal.svg", FOLDER / "report.png"
COLUMNS = 100
WIDTH, HEIGHT = 1100, 900


def told() -> str:
    """What the tool says of the program in a terminal, with its colors."""
    reading, writing = pty.openpty()
    run = [sys.executable, "-m", "tensorwhy", "run", PROGRAM]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "TF_CPP_MIN_LOG_LEVEL": "3"}
    program = subprocess.Popen(run, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=writing)
    os.close(writing)
    text = b""
    with contextlib.suppress(OSError):  # Linux says so when the other end is closed
        while part := os.read(reading, 1 << 16):
            text += part
    os.close(reading)
    program.wait()
    said = text.decode().replace("\r\n", "\n")
    return said.partition(" findings")[2].partition("\n")[2]  # without what libraries say before


def terminal() -> None:
    """Draw what is said."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"$ tensorwhy run {PROGRAM}\n{told()}".rstrip()))
    drawn = console.export_svg(title="tensorwhy", theme=MONOKAI, unique_id="tensorwhy")
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # a picture loads nothing
    TERMINAL.write_text(re.sub(r"\s+$", "", drawn, flags=re.MULTILINE) + "\n", encoding="utf-8")
    print(f"pictures: wrote {TERMINAL.relative_to(ROOT)}")


def main() -> int:
    terminal()
    chromium = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if chromium is None:
        print("pictures: Chromium was not found; scripts/chromium installs it", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "report.html")
        run = [sys.executable, "-m", "tensorwhy", "run", "--format", "html", "--output", str(page_file), PROGRAM]
        subprocess.run(run, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_selector("#diagnoses svg")
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"pictures: wrote {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
