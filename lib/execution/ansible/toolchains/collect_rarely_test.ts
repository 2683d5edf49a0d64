import assert from "node:assert/strict";
import { join } from "node:path";
import { shell } from "../../process/shell.ts";
import { COLLECT_RARELY } from "./collect_rarely.ts";

Deno.test("programs of a virtualenv collect garbage rarely", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.ok((await shell('python3 -m venv --without-pip "$1"', folder)).success);
    const run = (script: string) => shell('"$1" -c "$2"', join(folder, "bin", "python"), script);
    const threshold = async () =>
      Number((await run("import gc; print(gc.get_threshold()[0])")).stdout);
    assert.ok(await threshold() < 100_000);
    assert.ok((await run(COLLECT_RARELY)).success);
    assert.equal(await threshold(), 100_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
