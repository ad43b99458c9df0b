"""The page as a reader meets it, in a real browser."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from html_report import samples
from tensorwhy.model.location import Marked
from tensorwhy.model.report import LineageEdge, LineageNode, LineageView, Program, TensorRef

pytestmark = pytest.mark.xdist_group("browser")
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script><!--",
    '"><img src=x onerror=alert(3)>',
    "' onmouseover=alert(4) x='",
    "javascript:alert(5)",
)


def test_the_diagnosis_comes_first_with_its_annotated_source(open_report) -> None:
    page = open_report(samples.full())
    article = page.locator("#why-d1")
    assert "is None" in article.locator(".message").inner_text()
    assert article.locator(".mark.primary").first.inner_text() == "encoder(features)"
    assert "computed here, before the tape was opened" in article.locator(".label-primary").inner_text()
    assert "verified by replay" in article.locator(".check").inner_text()


def test_a_label_stands_under_its_mark(open_report) -> None:
    page = open_report(samples.full())
    mark = page.locator("#why-d1 .mark.primary").first.bounding_box()
    label = page.locator("#why-d1 .label-primary").bounding_box()
    assert label["x"] == pytest.approx(mark["x"], abs=2)
    assert label["y"] > mark["y"]


def test_the_picture_tells_connected_from_lost_without_colour(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")

    def dashes(selector: str) -> str:
        return panel.locator(selector).first.evaluate("element => getComputedStyle(element).strokeDasharray")

    assert dashes(".picture .link.connected") == "none"
    assert dashes(".picture .link.lost") != "none"
    assert dashes(".node.connected .outline") == "none"
    assert dashes(".node.lost .outline") != "none"
    assert panel.locator(".cut-mark > text").text_content() == "TW104"


def test_clicking_a_node_shows_op_shape_dtype_and_line(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")
    panel.locator('[data-key="node:stop"]').click()
    details = panel.locator(".details").inner_text()
    for part in (
        "no gradient arrives here",
        "StopGradient",
        "(32, 64)",
        "float32",
        "encoder",
        "layers.py:8",
        "tf.stop_gradient(",
    ):
        assert part in details


def test_what_lies_beyond_a_cut_is_said_not_to_get_a_gradient(open_report) -> None:
    page = open_report(samples.report(samples.stopped()))
    state = page.locator(".details-state")
    for key, words in (
        ("mm1", "✕ no gradient arrives here"),
        ("stop", "✕ no gradient arrives here: the path from MatMul is cut (TW104)"),
        ("mm3", "● the gradient arrives here, but the path on to StopGradient is cut (TW104)"),
        ("ce", "● the gradient arrives here"),
    ):
        page.locator(f'[data-key="node:{key}"]').dispatch_event("click")
        assert state.inner_text() == words


def test_only_errors_are_marked_in_the_color_of_errors(open_report) -> None:
    page = open_report(samples.full())

    def color(selector: str) -> str:
        return page.locator(selector).first.evaluate("element => getComputedStyle(element).color")

    error = color("#why-d1 .severity")
    assert color("#why-d1 .label-primary") == color("#why-d1 .number-primary") == error
    warning = color("#why-d4 .severity")
    assert color("#why-d4 .label-primary") == color("#why-d4 .number-primary") == warning != error


def test_a_long_label_is_visible_as_a_whole(open_report) -> None:
    label = "computed here, before the tape started recording, so no gradient can be found"
    diagnosis = msgspec.structs.replace(samples.outside_tape(), primary=Marked.at(samples.CALL, label))
    page = open_report(samples.report(diagnosis), width=900)
    text = page.locator(".label-primary").bounding_box()
    lines = page.locator(".lines").first.bounding_box()
    assert text["x"] + text["width"] <= lines["x"] + lines["width"]
    assert page.locator(".lines").first.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_a_clean_run_opens_on_the_model(open_report) -> None:
    page = open_report(samples.report(variables=samples.variables()))
    assert page.locator("#model .variable").first.is_visible()
    assert page.get_by_role("tab", name="Model").get_attribute("aria-selected") == "true"


def test_details_stand_beside_their_node(open_report) -> None:
    page = open_report(samples.report(samples.stopped()))
    node = page.locator('[data-key="node:mm3"]')
    node.click()
    details, stage = page.locator(".details").bounding_box(), page.locator(".stage").bounding_box()
    box = node.bounding_box()
    apart = max(details["x"] - box["x"] - box["width"], box["x"] - details["x"] - details["width"])
    assert 0 < apart < 40 or details["y"] >= box["y"] + box["height"] or details["y"] + details["height"] <= box["y"]
    assert stage["x"] <= details["x"] and details["x"] + details["width"] <= stage["x"] + stage["width"]
    assert stage["y"] <= details["y"] and details["y"] + details["height"] <= stage["y"] + stage["height"]


def test_a_narrow_window_has_the_list_and_opens_the_picture_on_demand(open_report) -> None:
    page = open_report(samples.report(samples.stopped()), width=420, height=900)
    page.locator(".lineage.ready").wait_for(state="attached")
    assert page.locator(".steps").is_visible()
    assert not page.locator(".picture").is_visible()
    page.get_by_role("button", name="Show the graph").click()
    assert page.locator(".picture").bounding_box()["height"] > 600
    page.keyboard.press("Escape")
    assert not page.locator(".picture").is_visible()


def test_a_node_leads_to_its_line_in_the_source(open_report) -> None:
    page = open_report(samples.report(samples.stopped()))
    page.locator('[data-key="node:stop"]').click()
    page.get_by_role("button", name="layers.py:8").click()
    assert page.locator(".line.flash").get_attribute("data-line") == "8"


def test_layers_collapse_and_open_by_click_and_by_key(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")
    before = panel.locator(".node").count()
    panel.locator('[data-layer="head"] .layer-head').click()
    collapsed = panel.locator('[data-key="layer:head"]')
    assert "4 operations" in collapsed.text_content()
    assert panel.locator(".node").count() == before - 3
    collapsed.press("Enter")
    assert panel.locator(".node").count() == before


def test_a_collapsed_layer_tells_of_the_cut_inside(open_report) -> None:
    nodes = (
        LineageNode(id="x", op="x", role="source", layer="block", connected=False),
        LineageNode(id="y", op="y", role="target", layer="block"),
    )
    view = LineageView(nodes=nodes, edges=(LineageEdge(start="x", end="y"),))
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=view)))
    page.get_by_role("button", name="Collapse all layers").click()
    assert "1 cut" in page.locator('[data-key="layer:block"]').text_content()
    assert page.locator(".node .cross").count() == 1


def test_search_finds_a_node_inside_a_collapsed_layer(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")
    panel.get_by_role("button", name="Collapse all layers").click()
    assert panel.locator('[data-key="node:mm2"]').count() == 0
    panel.get_by_role("searchbox").fill("dense_1")
    panel.get_by_role("searchbox").press("Enter")
    assert panel.locator(".found").inner_text().startswith("1 of ")
    assert "selected" in panel.locator('[data-key="node:w2"]').get_attribute("class")


def test_zoom_buttons_change_the_scale(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")

    def width() -> float:
        return panel.locator('[data-key="node:stop"]').bounding_box()["width"]

    before = width()
    panel.get_by_role("button", name="Zoom in").click()
    assert width() > before * 1.2
    panel.get_by_role("button", name="Fit to view").click()
    box = panel.locator(".picture").bounding_box()
    for key in ("node:x", "node:mean"):
        node = panel.locator(f'[data-key="{key}"]').bounding_box()
        assert box["y"] <= node["y"] and node["y"] + node["height"] <= box["y"] + box["height"]


def test_the_picture_can_fill_the_window_and_escape_closes_it(open_report) -> None:
    page = open_report(samples.full())
    panel = page.locator("#why-d1 .lineage")
    panel.get_by_role("button", name="Enlarge").click()
    assert panel.bounding_box()["width"] > 1300
    page.keyboard.press("Escape")
    assert panel.bounding_box()["width"] < 800


def test_the_model_page_shows_each_variable_and_links_to_its_diagnosis(open_report) -> None:
    page = open_report(samples.full())
    page.get_by_role("tab", name="Model").click()
    rows = page.locator(".variable")
    assert rows.count() == len(samples.variables())
    lost = rows.filter(has_text="untracked").first
    assert "None" in lost.locator(".gradient").inner_text()
    assert "None in 12" in lost.locator(".plot").get_attribute("aria-label")
    lost.get_by_role("link", name="TW602").click()
    assert page.locator("#why-d4").is_visible()
    assert not page.locator("#model").is_visible()


def test_variables_can_be_filtered_by_gradient(open_report) -> None:
    page = open_report(samples.full())
    page.get_by_role("tab", name="Model").click()
    page.get_by_role("button", name="flows").click()
    page.get_by_role("button", name="not seen").click()
    assert page.locator(".variable").count() == 3


def test_dark_mode_changes_the_ground_and_keeps_text_readable(open_report) -> None:
    page = open_report(samples.full(), color_scheme="dark")
    colours = page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]
            .map(text => text.match(/\\d+/g).map(Number).reduce((sum, value) => sum + value))"""
    )
    assert colours[0] < 120 < 600 < colours[1]


def test_nothing_is_wider_than_a_phone(open_report) -> None:
    page = open_report(samples.full(), width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_verdict_is_readable_without_script(open_report) -> None:
    page = open_report(samples.full(), java_script_enabled=False)
    text = page.locator("#why-d1").inner_text()
    assert "computed here, before the tape was opened" in text
    page.locator("#why-d1 summary").click()
    assert "StopGradient" in page.locator("#why-d1 .steps").inner_text()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_text(open_report, name: str) -> None:
    location = msgspec.structs.replace(samples.CALL, file=name)
    nodes = (
        LineageNode(id=name, op=name, name=name, role="source", layer=name, dtype=name, location=location),
        LineageNode(id="y", op="y", name=name, role="target", connected=False, layer=f"{name}/inner"),
    )
    diagnosis = msgspec.structs.replace(
        samples.outside_tape(),
        id=name,
        code=name,
        message=f"`{name}` {name}",
        notes=(name,),
        primary=Marked.at(location, name),
        source=TensorRef(name=name, dtype=name, layer=name),
        lineage=LineageView(nodes=nodes, edges=(LineageEdge(start=name, end="y", label=name),)),
        together_with=(),
    )
    variable = msgspec.structs.replace(samples.variables()[2], name=name, layer=name, dtype=name, diagnoses=(name,))
    report = samples.report(
        diagnosis, program=Program(path=name), variables=(variable,), excerpts={name: {14: f"hidden = {name}"}}
    )
    page = open_report(report)
    page.locator(".node").first.click()
    assert name in page.locator(".details").inner_text()
    page.get_by_role("searchbox").fill(name)
    page.get_by_role("searchbox").press("Enter")
    page.get_by_role("button", name="Collapse all layers").click()
    assert name in page.locator(".message").inner_text()
    page.get_by_role("tab", name="Model").click()
    page.locator(".variable").hover()
    assert name in page.locator(".variable-name").inner_text()
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0


def test_the_policy_forbids_requests_and_foreign_scripts(open_report) -> None:
    page = open_report(samples.full())
    refused = page.evaluate(
        """async () => {
            const refused = [];
            addEventListener("securitypolicyviolation", event => refused.push(event.effectiveDirective));
            await fetch("http://127.0.0.1:9/").catch(() => {});
            new Image().src = "http://127.0.0.1:9/x.png";
            const script = document.createElement("script");
            script.textContent = "document.title = 'taken over'";
            document.body.append(script);
            await new Promise(resolve => setTimeout(resolve, 50));
            return refused;
        }"""
    )
    assert {"connect-src", "img-src", "script-src-elem"} <= set(refused)
    assert page.title() != "taken over"


def test_a_large_lineage_opens_with_its_quiet_layers_closed(open_report) -> None:
    nodes = [LineageNode(id="x", op="x", role="source", connected=False)]
    for block in range(12):
        for step in range(20):
            nodes.append(LineageNode(id=f"n{block}.{step}", op="MatMul", layer=f"block_{block}", connected=block > 5))
    nodes.append(LineageNode(id="y", op="y", role="target"))
    edges = [LineageEdge(start=a.id, end=b.id) for a, b in itertools.pairwise(nodes)]
    view = LineageView(nodes=tuple(nodes), edges=tuple(edges))
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=view)))
    assert page.locator('[data-key="layer:block_0"]').count() == 1
    assert page.locator(".cut-mark").count() == 1
    page.get_by_role("button", name="Open all layers").click()
    assert page.locator(".node").count() == 242


def deep_view() -> LineageView:
    """Fifty residual blocks, cut in the middle. Values leave a block and come back; norms cut what costs nothing."""
    nodes = [LineageNode(id="in0", op="Input", connected=False), LineageNode(id="in25", op="StopGradient")]
    edges = [LineageEdge(start="lost", end="in25", connected=False, label="stop_gradient")]
    for block in range(50):
        connected = block >= 25
        layer = f"net/block_{block}"
        for name, op, where in (
            ("w", "Variable", f"{layer}/dense"),
            ("mean", "Mean", ""),
            ("stop", "StopGradient", ""),
            ("dense", "MatMul", f"{layer}/dense"),
            ("relu", "Relu", ""),
            ("out", "MatMul", f"{layer}/out"),
        ):
            role = "op" if op != "Variable" else "variable" if connected else "source"
            nodes.append(LineageNode(id=f"{name}{block}", op=op, layer=where, connected=connected, role=role))
        after = "lost" if block == 24 else f"in{block + 1}"
        nodes.append(LineageNode(id=after, op="AddV2", connected=connected))
        for start, end in (("in", "mean"), ("in", "dense"), ("w", "dense"), ("stop", "dense"), ("dense", "relu")):
            edges.append(LineageEdge(start=f"{start}{block}", end=f"{end}{block}"))
        edges.append(LineageEdge(start=f"mean{block}", end=f"stop{block}", connected=False))
        edges.append(LineageEdge(start=f"relu{block}", end=f"out{block}"))
        edges += [LineageEdge(start=f"{start}{block}", end=after) for start in ("in", "out")]
    nodes.append(LineageNode(id="loss", op="Mean", name="loss", role="target"))
    edges.append(LineageEdge(start="in50", end="loss"))
    return LineageView(nodes=tuple(nodes), edges=tuple(edges))


def test_a_deep_model_opens_as_a_short_chain_with_the_break_and_the_target_in_view(open_report) -> None:
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=deep_view())))
    assert page.locator(".node").count() < 30
    assert "block_" in page.locator(".node.role-collapsed.lost").first.text_content()
    upward = """paths => paths.filter(path =>
        path.getPointAtLength(0).y >= path.getPointAtLength(path.getTotalLength()).y).length"""
    assert page.locator(".picture .links .link").count() > 10
    assert page.locator(".picture .links .link").evaluate_all(upward) == 0
    picture = page.locator(".picture").bounding_box()
    for selector in (".cut-mark", '[data-key="node:loss"]'):
        box = page.locator(selector).bounding_box()
        assert picture["x"] <= box["x"] and box["x"] + box["width"] <= picture["x"] + picture["width"]
        assert picture["y"] <= box["y"] and box["y"] + box["height"] <= picture["y"] + picture["height"]


def transformer_view() -> LineageView:
    """Twelve blocks, whose norms hold all of a cut's lost side; the cut is between two layers."""
    nodes = [LineageNode(id="w", op="Variable", layer="net/embed", role="source", connected=False)]
    for block in range(12):
        for part in ("attention", "norm"):
            layer = f"net/block{block}_{part}"
            steps = [f"{part}{block}.{step}" for step in range(15)]
            nodes += [LineageNode(id=each, op="Mul", layer=layer, connected=block > 5) for each in steps]
        if block == 5:
            nodes.append(LineageNode(id="stop", op="StopGradient", layer="net/freeze"))
    nodes.append(LineageNode(id="loss", op="Mean", name="loss", role="target"))
    edges = [LineageEdge(start=a.id, end=b.id, connected=b.id != "stop") for a, b in itertools.pairwise(nodes)]
    return LineageView(nodes=tuple(nodes), edges=tuple(edges))


def test_a_layer_beside_a_cut_is_closed_and_the_cut_is_in_view_with_the_target(open_report) -> None:
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=transformer_view())))
    assert page.locator(".cut-mark").count() == 1
    assert page.locator('[data-key="layer:net/block5_norm"].role-collapsed').count() == 1
    picture = page.locator(".picture").bounding_box()
    for selector in (".cut-mark", '[data-key="node:loss"]'):
        box = page.locator(selector).bounding_box()
        assert picture["y"] <= box["y"] and box["y"] + box["height"] <= picture["y"] + picture["height"]


def test_a_cut_around_which_the_gradient_finds_a_way_is_not_marked(open_report) -> None:
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=deep_view())))
    assert page.locator(".cut-mark > text").all_text_contents() == ["stop_gradient"]
    assert page.locator(".node .cross").count() == 0


@pytest.mark.parametrize("layer", ["", "block_{0}/attention_{1}/dense"])
def test_a_huge_lineage_is_drawn_in_parts_that_open_on_demand(open_report, layer: str) -> None:
    count = 100_000
    nodes = [
        LineageNode(
            id=str(index),
            op="MatMul",
            layer=layer.format(index // 500, index // 50 % 10),
            connected=index > count // 2,
            role="source" if index == 0 else "target" if index == count - 1 else "op",
        )
        for index in range(count)
    ]
    edges = [LineageEdge(start=a.id, end=b.id) for a, b in itertools.pairwise(nodes)]
    view = LineageView(nodes=tuple(nodes), edges=tuple(edges))
    page = open_report(samples.report(msgspec.structs.replace(samples.stopped(), lineage=view)))
    page.locator(".lineage.ready").wait_for()
    before = page.locator(".node").count()
    assert before <= 150
    assert page.locator(".cut-mark, .node .cross").count() == 1
    closed = page.locator(".node.role-collapsed").first
    key = closed.get_attribute("data-key").removeprefix("layer:")
    closed.press("Enter")
    assert page.locator(f'[data-layer="{key}"]').count() == 1
    assert page.locator(".node").count() > before
    assert page.get_by_role("button", name="Open all layers").count() == 0
