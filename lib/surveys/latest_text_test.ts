import assert from "node:assert/strict";
import type { ProjectScope } from "../access/scope.ts";
import { AppError } from "../base/errors.ts";
import { createStore } from "../store/store.ts";
import { latestText } from "./latest_text.ts";

Deno.test("a source that has failed rests, unless this server was too busy to read it", async () => {
  using kv = createStore(await Deno.openKv(":memory:"));
  const deps = { kv, clock: { ticks: () => 0, now: () => new Date() } };
  const scope = { deps, projectId: 1 } as unknown as ProjectScope;
  const reads = async (id: string, status: number, key: string) => {
    let count = 0;
    const read = () => {
      count++;
      return Promise.reject(new AppError(status, key));
    };
    for (let n = 0; n < 2; n++) {
      const { text, problem } = await latestText(scope, { id, read }, "start");
      assert.deepEqual([text, problem?.key], [null, key]);
    }
    return count;
  };
  assert.equal(await reads("gone", 422, "errors.choices.unreachable"), 1);
  assert.equal(await reads("busy", 429, "errors.connection_tests.busy"), 2);
});
