import assert from "node:assert/strict";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import type { Cell } from "./rows.ts";
import { packCell, unpackCell } from "./packing.ts";
import { resultCollector } from "./collector.ts";
import { findFullResult, getRunResults, listRunResults } from "./service.ts";

const full = (value: Record<string, unknown>) => ({ value, shortened: [] });

Deno.test("the full answer of a module is stored, and read only on request", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const answer = { rc: 0, stdout: "one" };
  await run.report(
    play("First"),
    task("a"),
    result("a", "web", { full: full(answer), items: [1, 0, 0, 0] }),
    result("a", "db", { full: full(answer) }),
    result("a", "old"),
  );
  await run.end();
  const { kv, read } = countingReads(world.kv);
  const scope = { ...await run.scope(), deps: { ...world.deps, kv } };
  const { results } = await listRunResults(scope, run.id, { limit: 10 });
  const plain = read.rows;
  for (const { id, host } of results) {
    const { result: found, shortened, ...rest } = (await findFullResult(scope, run.id, id))!;
    assert.deepEqual(found, host === "old" ? null : answer);
    assert.deepEqual(shortened, []);
    assert.deepEqual(rest, results.find((its) => its.id === id));
  }
  assert.ok(read.rows > plain);
  assert.deepEqual(results[0].items, { ok: 1, changed: 0, failed: 0, skipped: 0 });
  assert.equal(await findFullResult(scope, run.id, 999_999), null);
});

Deno.test("failures and changes have room left when not all answers fit", () => {
  const collector = resultCollector({ fullBytesMax: 100_000 });
  const long = (n: number) => full({ n, stdout: "x".repeat(5_000) });
  collector.take(task("a"));
  let n = 0;
  const add = (status: "ok" | "changed" | "failed") => {
    n++;
    collector.take(result("a", `host-${n}`, { status, full: long(n) }));
    return collector.head().full_dropped!;
  };
  const dropped = () => collector.head().full_dropped!;
  while (add("ok") === 0);
  const well = n - 1;
  add("changed");
  assert.equal(dropped(), 1, "a change has room where what succeeded has none");
  while (add("changed") === 1);
  add("failed");
  assert.equal(dropped(), 2);
  assert.ok(well >= 9 && well <= 10, `${well}`);
  collector.take(result("a", "last", { full: null }));
  collector.take(result("a", "none", { full: undefined }));
  assert.equal(dropped(), 3, "what the play had no room for counts too");
});

Deno.test("the same answer on many hosts is stored once", async () => {
  const collector = resultCollector({ fullBytesMax: 100_000 });
  collector.take(task("a"));
  for (let n = 0; n < 5_000; n++) {
    collector.take(result("a", `host-${n}`, { full: full({ msg: "x".repeat(1_000) }) }));
  }
  assert.equal(collector.head().full_dropped, 0);
  const bytes = (await collector.rows()).filter(({ at: [kind] }) => kind === "full")
    .reduce((sum, row) => sum + row.bytes, 0);
  assert.ok(bytes < 200, `${bytes}`);
});

Deno.test("a cell is unpacked as it was packed, with items and without", () => {
  const cell: Cell = {
    status: "ok",
    began: 5,
    ms: 7,
    line: null,
    last_line: null,
    hidden: false,
    changed: false,
    unchecked: false,
    carried_out: false,
    items: null,
    text: 0,
    diff: 0,
    diff_size: 0,
    full: 0,
  };
  for (const number of [0, 3]) {
    for (const items of [null, [1, 0, 0, 0] as Cell["items"], [0, 0, 0, 0] as Cell["items"]]) {
      for (const text of [0, 9]) {
        const told = { ...cell, full: number, items, text };
        assert.deepEqual(unpackCell(packCell(told)), told);
      }
    }
  }
});

Deno.test("a server that stores no answers does not count them", async () => {
  await using world = await newWorld({ config: { fullResultBytesMax: 0 } });
  const run = await reportedTask(world);
  await run.report(play("First"), task("a"), result("a", "web", { full: full({ rc: 0 }) }));
  await run.end();
  const scope = await run.scope();
  assert.equal((await findFullResult(scope, run.id, 100_001))!.result, null);
  assert.equal((await getRunResults(scope, run.id))!.full_dropped, 0);
});
