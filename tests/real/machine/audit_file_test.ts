import assert from "node:assert/strict";
import { join } from "node:path";
import { newRealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";

Deno.test("a server that is killed writes each event once to a file outside its data", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_audit_" });
  const file = join(folder, "audit.jsonl");
  const written = async (): Promise<{ object_name: string }[]> =>
    (await Deno.readTextFile(file).catch(() => "")).split("\n").filter((line) => line !== "")
      .map((line) => JSON.parse(line)).filter(({ object_type }) => object_type === "view");
  try {
    const project = await newRealProject({ env: { CALLBOARD_AUDIT_FILE: file } });
    try {
      const names = Array.from({ length: 30 }, (_, n) => `View ${n}`);
      for (const [n, title] of names.entries()) {
        await project.make("views", { title, position: n });
        if (n === 15) await project.restart("SIGKILL");
      }
      await until(async () => (await written()).length >= names.length);
      assert.deepEqual((await written()).map(({ object_name }) => object_name), names);
    } finally {
      await project[Symbol.asyncDispose]();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
