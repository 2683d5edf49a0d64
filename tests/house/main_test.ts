import assert from "node:assert/strict";

Deno.test("the composition root fits on a few screens", async () => {
  const lines = (await Deno.readTextFile("main.ts")).trimEnd().split("\n").length;
  assert.ok(lines <= 120, `${lines} lines: what a room contributes is listed in background.ts`);
});
