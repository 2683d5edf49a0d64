import assert from "node:assert/strict";
import { shell, shellWithin } from "./shell.ts";

Deno.test("the time limit holds, whatever a script leaves behind with its output", async () => {
  const began = performance.now();
  const late = shellWithin(300, "sleep 20 & wait");
  await assert.rejects(late, { name: "TimeoutError" });
  assert.ok(performance.now() - began < 15_000);
});

Deno.test("a script's end and output are answered", async () => {
  assert.deepEqual(await shell('echo "$1"; echo no >&2; exit 3', "a b"), {
    success: false,
    stdout: "a b\n",
    stderr: "no\n",
  });
});
