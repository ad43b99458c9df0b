"""Make the pictures of the README from a real run: `python scripts/pictures.py` writes docs/_static/report.png.

Needs Chromium (scripts/chromium) and the `look` extra. The page is what `tensorwhy run --format html` wrote.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "examples/frozen_by_accident.py"
PICTURE = ROOT / "docs" / "_static" / "report.png"
WIDTH, HEIGHT = 1100, 900


def main() -> int:
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
