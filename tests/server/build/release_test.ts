import assert from "node:assert/strict";
import { join } from "node:path";
import { writeChart } from "@/tools/release/chart.ts";
import { changesOf } from "@/tools/release/ready.ts";

const CHANGELOG = `# Changelog

## 1.1.0 - 2026-12-01

### Added

- One thing.

## 1.0.0

- Another.
`;

Deno.test("a release has the changes of its version", () => {
  assert.equal(changesOf(CHANGELOG, "1.1.0"), "### Added\n\n- One thing.");
  const last = "## 1.0.0\n\n- All.\n";
  assert.equal(changesOf(last, "1.0.0"), "- All.");
});

Deno.test("a release is refused while its changes have no version", () => {
  const sentence = /The latest section of CHANGELOG.md is "Unreleased". Give it the version 1.1.0/;
  assert.throws(() => changesOf("# Changelog\n\n## Unreleased\n\n- A\n", "1.1.0"), sentence);
  assert.throws(() => changesOf(CHANGELOG, "1.0.0"), /is "1.1.0 - 2026-12-01"/);
  assert.throws(() => changesOf("# Changelog\n", "1.0.0"), /has no section/);
});

Deno.test("a chart has the alert rules, which are a link in the sources", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_chart_test_" });
  try {
    await writeChart(folder, "1.0.0", new Date(0));
    const chart = join(folder, "callboard-chart-1.0.0.tgz");
    const read = new Deno.Command("tar", { args: ["-xzOf", chart, "callboard/alerts.yml"] });
    const { stdout } = await read.output();
    assert.match(new TextDecoder().decode(stdout), /alert: CallboardDown$/m);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
