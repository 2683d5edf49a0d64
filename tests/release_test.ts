import assert from "node:assert/strict";
import { changesOf } from "../scripts/release/ready.ts";

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
