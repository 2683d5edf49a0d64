import assert from "node:assert/strict";
import type { ProjectScope } from "../access/scope.ts";
import { createMemory } from "../store/memory.ts";
import { withinLimits } from "./limits.ts";

/** Begins tests in a store of their own, which go on until the bench is disposed. */
function newBench() {
  const deps = { kv: { memory: createMemory() }, environment: {} };
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  return {
    /** Whether a test of a project by an account may begin; without an account, by a trigger. */
    begin(projectId: number, accountId?: number): boolean {
      const actor = accountId === undefined
        ? { kind: "schedule" }
        : { kind: "user", id: accountId };
      const scope = { deps, actor, projectId } as unknown as ProjectScope;
      let isIn = false;
      const test = withinLimits(scope, async () => {
        isIn = true;
        await promise;
      });
      begun.push(test.catch((error) => assert.equal(error.status, 429)));
      return isIn;
    },
    async [Symbol.asyncDispose]() {
      resolve();
      await Promise.all(begun);
    },
  };
}

Deno.test("busy projects leave a third of the connection tests to others", async () => {
  await using bench = newBench();
  const tests = [1, 2, 3, 1, 2, 3].map((projectId, n) => bench.begin(projectId, n));
  assert.deepEqual(tests, [true, true, true, true, false, false]);
  assert.deepEqual([bench.begin(4, 10), bench.begin(5, 11), bench.begin(6, 12)], [
    true,
    true,
    false,
  ]);
});

Deno.test("a project has two connection tests at most, and may have both at a quiet time", async () => {
  await using bench = newBench();
  assert.deepEqual([1, 2, 3].map((account) => bench.begin(1, account)), [true, true, false]);
  assert.deepEqual([1, 2].map((account) => bench.begin(2, account)), [true, true]);
});

Deno.test("an account with many projects leaves a third of the connection tests to others", async () => {
  await using bench = newBench();
  const tests = [1, 2, 3, 4, 5, 6].map((projectId) => bench.begin(projectId, 1));
  assert.deepEqual(tests, [true, true, true, true, false, false]);
  assert.ok(bench.begin(7, 2));
  assert.ok(bench.begin(8), "of a trigger");
});
