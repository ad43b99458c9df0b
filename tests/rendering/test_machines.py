"""What programs read: JSON by our schema, SARIF by its standard, GitHub's workflow commands."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import tensorwhy.model
from rendering.reports import BASE, REPORTS, TRAIN
from tensorwhy.model.report import Report
from tensorwhy.rendering import Options, Rule, renderer

SCHEMA = Path(tensorwhy.model.__file__).parent / "report.schema.json"
RULES = (
    Rule(code="TW101", slug="not-watched", summary="Never watched.", severity="error", help="## What happened\nMuch."),
    Rule(code="TW102", slug="computed-outside-tape", summary="Ran before.", severity="error"),
)
OPTIONS = Options(base=BASE, rules=RULES)
EVERY = pytest.mark.parametrize("report", [make() for make in REPORTS.values()], ids=list(REPORTS))


def sarif(report: Report) -> Any:
    return json.loads(renderer("sarif")(report, OPTIONS))


@EVERY
def test_json_keeps_the_published_schema(report: Report) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(renderer("json")(report, OPTIONS)), schema)


@EVERY
def test_json_can_be_loaded_as_the_same_report(report: Report) -> None:
    assert msgspec.json.decode(renderer("json")(report, OPTIONS), type=Report) == report


@EVERY
def test_sarif_has_what_the_standard_requires(report: Report) -> None:
    log = sarif(report)
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (log["version"], driver["name"]) == ("2.1.0", "tensorwhy")
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        ids = [location["id"] for location in result["relatedLocations"]]
        assert len(set(ids)) == len(ids)
        for location in [*result["locations"], *result["relatedLocations"]]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[!-~]+", uri) and "\\" not in uri
            if uri.endswith(".ipynb"):
                continue
            region = location["physicalLocation"]["region"]
            assert region["startLine"] >= 1
            assert region.get("startColumn", 1) >= 1
            start = region["startLine"], region.get("startColumn", 1)
            assert (region.get("endLine", start[0]), region.get("endColumn", start[1])) >= start


@pytest.mark.skipif("SARIF_SCHEMA" not in os.environ, reason="SARIF_SCHEMA names the standard's own JSON schema")
@EVERY
def test_sarif_keeps_the_standards_schema(report: Report) -> None:
    jsonschema.validate(sarif(report), json.loads(Path(os.environ["SARIF_SCHEMA"]).read_text(encoding="utf-8")))


def test_sarif_columns_count_from_one_and_end_after_the_last() -> None:
    (run,) = sarif(REPORTS["two_joined"]())["runs"]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    text = "hidden = encoder(features)"
    assert text[region["startColumn"] - 1 : region["endColumn"] - 1] == "encoder(features)"
    assert region["snippet"]["text"] == text
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_names_the_cells_of_a_notebook_in_words() -> None:
    (run,) = sarif(REPORTS["in_notebook"]())["runs"]
    (result,) = run["results"]
    for location, words in zip(
        (*result["locations"], *result["relatedLocations"]), ("cell 2, line 1", "cell 5, line 3")
    ):
        assert location["physicalLocation"] == {"artifactLocation": {"uri": "notes.ipynb", "uriBaseId": "SRCROOT"}}
        assert location["message"]["text"].startswith(f"{words}: ")


def test_sarif_tells_the_rules_of_the_catalogue_and_their_help() -> None:
    (run,) = sarif(REPORTS["nothing"]())["runs"]
    rule = run["tool"]["driver"]["rules"][0]
    assert (rule["id"], rule["name"], rule["help"]["markdown"]) == ("TW101", "NotWatched", RULES[0].help)


def test_sarif_fixes_replace_exactly_the_edited_text() -> None:
    (run,) = sarif(REPORTS["two_joined"]())["runs"]
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "train.py", "uriBaseId": "SRCROOT"}
    insertion = change["replacements"][1]
    assert insertion["deletedRegion"]["startColumn"] == insertion["deletedRegion"]["endColumn"]
    assert insertion["insertedContent"]["text"] == "    hidden = encoder(features)\n"


def test_sarif_fingerprints_stay_when_lines_move() -> None:
    report = REPORTS["two_joined"]()
    first = report.diagnoses[0]
    assert first.primary is not None
    moved = msgspec.structs.replace(first, primary=msgspec.structs.replace(first.primary, line=99, end_line=99))
    later = msgspec.structs.replace(
        report, diagnoses=(moved,), excerpts={TRAIN: {99: report.excerpts[TRAIN][first.primary.line]}}
    )
    prints = [sarif(each)["runs"][0]["results"][0]["partialFingerprints"] for each in (report, later)]
    assert prints[0] == prints[1]


COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)")


@EVERY
def test_github_gets_one_well_formed_command_for_each_diagnosis_and_unread_file(report: Report) -> None:
    lines = renderer("github")(report, OPTIONS).splitlines()
    assert len(lines) == len(report.diagnoses) + len(report.coverage.unread)
    assert all(COMMAND.fullmatch(line) for line in lines), lines


def test_github_annotations_point_at_the_file_below_the_working_directory() -> None:
    first = renderer("github")(REPORTS["two_joined"](), OPTIONS).splitlines()[0]
    properties = dict(pair.split("=") for pair in COMMAND.fullmatch(first)[2].split(","))  # type: ignore[index]
    assert properties["file"] == "train.py"
    assert (properties["line"], properties["col"], properties["endColumn"]) == ("14", "10", "26")


def test_github_names_the_cell_of_a_notebook_in_words() -> None:
    (line,) = renderer("github")(REPORTS["in_notebook"](), OPTIONS).splitlines()
    _, properties, message = COMMAND.fullmatch(line).groups()  # type: ignore[union-attr]
    assert properties == "title=TW101 not-watched,file=notes.ipynb"
    assert message.startswith("cell 2, line 1: ")
