import assert from "node:assert/strict";
import { diffCounts, diffFiles, diffParts } from "./diff_parts.ts";

const DIFF = `--- /etc/motd
+++ /etc/motd
@@ -1,3 +1,3 @@
 same
--- a comment
-gone
+++ new
 @same
--- /etc/hosts
+++ /etc/hosts
@@ -0,0 +1 @@
+10.0.0.1 web
`;

Deno.test("the lines of a diff are classified, even if their content looks like a header", () => {
  assert.deepEqual(diffParts(DIFF), [
    { look: "file", text: "--- /etc/motd\n+++ /etc/motd\n" },
    { look: "place", text: "@@ -1,3 +1,3 @@\n" },
    { look: "same", text: " same\n" },
    { look: "removed", text: "--- a comment\n-gone\n" },
    { look: "added", text: "+++ new\n" },
    { look: "same", text: " @same\n" },
    { look: "file", text: "--- /etc/hosts\n+++ /etc/hosts\n" },
    { look: "place", text: "@@ -0,0 +1 @@\n" },
    { look: "added", text: "+10.0.0.1 web\n" },
  ]);
  assert.equal(diffParts(DIFF).map(({ text }) => text).join(""), DIFF);
  assert.deepEqual(diffFiles(DIFF), ["/etc/motd", "/etc/hosts"]);
  assert.deepEqual(diffCounts(DIFF), { added: 2, removed: 2 });
});

Deno.test("a text that is not a unified diff stays unchanged", () => {
  assert.deepEqual(diffParts("(binary)"), [{ look: "same", text: "(binary)\n" }]);
  assert.deepEqual(diffFiles("--- a\n+++ b\n"), []);
});
