import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { until } from "@/tests/support/basics/until.ts";
import { createHub, type LiveRecord } from "../base/hub.ts";
import { sleep } from "../base/time/pause.ts";
import { followLog } from "./follow.ts";
import { deleteRecords, getLogHead, readLog } from "./store.ts";
import { createLogWriter, openLog } from "./writer.ts";
import type { Store } from "../store/store.ts";
import { openStore } from "../store/file/open_store.ts";

const clock = { now: () => new Date("2024-05-02T10:11:12.345Z") };

const targetOf = (kv: Store) => ({ kv, hub: createHub(), clock, projectId: 1, taskId: 1 });

async function withLog(
  use: (log: ReturnType<typeof createLogWriter>, kv: Store, heard: LiveRecord[]) => Promise<void>,
) {
  const kv = await openStore(":memory:");
  const hub = createHub();
  const heard: LiveRecord[] = [];
  hub.subscribe((message) => {
    if (message.type === "log") heard.push(...message.records);
  });
  try {
    await use(createLogWriter({ kv, hub, clock, projectId: 1, taskId: 1 }), kv, heard);
  } finally {
    kv.close();
  }
}

const read = async (kv: Store, after = 0) => (await Array.fromAsync(readLog(kv, 1, after))).flat();

Deno.test("every written line is read again, in order and numbered", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 300 })
    .map((text) => text.replaceAll(/[\n\ud800-\udfff]/g, ""));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 200 }), async (lines) => {
      await withLog(async (log, kv, heard) => {
        for (const text of lines) await log.write(text);
        await log.flush();
        const records = await read(kv);
        assert.deepEqual(records.map(({ output }) => output), lines);
        assert.deepEqual(records.map(({ id }) => id), lines.map((_, n) => n + 1));
        assert.deepEqual(heard, records);
      });
    }),
    { numRuns: 30 },
  );
});

Deno.test("the head counts Ansible tasks across chunks and writers", async () => {
  const play = [
    "PLAY [all] ****",
    "TASK [Gathering Facts] ****",
    "ok: [web1]",
    "RUNNING HANDLER [restart nginx] ****",
    "ok: [web1] => TASK [no]",
    "  TASK [indented, as in a message]",
  ];
  const lines = Array.from({ length: 6_000 }, (_, n) => play[n % play.length]);
  await withLog(async (log, kv) => {
    // 3,000 lines fill a chunk, so the second one begins in the middle of a play.
    for (const line of lines) await log.write(line);
    await log.flush();
    assert.equal((await getLogHead(kv, 1)).play_tasks, 2_000);
    const next = await openLog(targetOf(kv));
    await next.write("TASK [one more] ****");
    await next.flush();
    assert.equal((await getLogHead(kv, 1)).play_tasks, 2_001);
  });
});

Deno.test("counting Ansible tasks takes no commit of its own", async () => {
  await withLog(async (log, kv) => {
    const before = await kv.get(["task_log_heads", 1]);
    assert.equal(before.versionstamp, null);
    for (let n = 0; n < 20; n++) await log.write(`TASK [${n}] ****`);
    await log.flush();
    const [head, chunk] = await kv.getMany([["task_log_heads", 1], ["task_log_chunks", 1, 1]]);
    assert.equal(head.versionstamp, chunk.versionstamp);
  });
});

/** Counts the commits of a store from now on. */
function countCommits(kv: Store): () => number {
  let count = 0;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const commit = op.commit.bind(op);
    op.commit = () => (count++, commit());
    return op;
  };
  return () => count;
}

/** Writes a line every 20 ms. Returns after how many milliseconds each one was stored. */
async function writeSlowly(log: ReturnType<typeof createLogWriter>, lines: number) {
  const waits: number[] = [];
  for (let n = 1; n <= lines; n++) {
    const writtenAt = performance.now();
    await log.write(`line ${n}`);
    until(() => log.storedLines >= n).then(() => waits.push(performance.now() - writtenAt));
    await sleep(20);
  }
  await until(() => waits.length === lines);
  return waits;
}

Deno.test("lines of a quarter of a second are stored in one commit, for each of two runs", async () => {
  await withLog(async (log, kv) => {
    const other = createLogWriter({ ...targetOf(kv), taskId: 2 });
    const commits = countCommits(kv);
    const startedAt = performance.now();
    await Promise.all([writeSlowly(log, 30), writeSlowly(other, 30)]);
    const quarters = (performance.now() - startedAt) / 250;
    assert.ok(commits() <= 2 * (1 + quarters), `${commits()} commits in ${quarters} quarters`);
    const ids = Array.from({ length: 30 }, (_, n) => n + 1);
    assert.deepEqual((await read(kv)).map(({ id }) => id), ids);
    assert.deepEqual((await Array.fromAsync(readLog(kv, 2))).flat().map(({ id }) => id), ids);
  });
});

Deno.test("a line after a pause does not wait for others", async () => {
  await withLog(async (log) => {
    // The shortest of several waits, because the machine may be busy during the others.
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) {
      waits.push(...await writeSlowly(log, 1));
      await sleep(260);
    }
    assert.ok(Math.min(...waits) < 200, `${waits} ms`);
  });
});

Deno.test("rows share a commit with lines that are due, and lines do not wait for them long", async () => {
  await withLog(async (log, kv) => {
    let isReady = true;
    log.shareWith(() => {
      if (isReady) return log.storeWith((op) => op.set(["rows"], 1));
      return new Promise(() => {}); // Rows that are never there.
    });
    await log.write("one");
    await until(() => log.storedLines === 1);
    const [chunk, rows] = await kv.getMany([["task_log_chunks", 1, 1], ["rows"]]);
    assert.equal(chunk.versionstamp, rows.versionstamp);
    isReady = false;
    await log.write("two");
    await until(() => log.storedLines === 2);
  });
});

Deno.test("long lines and many lines fit into the store", async () => {
  await withLog(async (log, kv) => {
    const long = "ü".repeat(8_000);
    for (let n = 0; n < 50; n++) await log.write(long);
    for (let n = 0; n < 20_000; n++) await log.write("");
    await log.flush();
    const records = await read(kv);
    assert.equal(records.length, 20_050);
    assert.equal(records[49].output, long);
    assert.equal((await read(kv, 20_040)).length, 10);
    await deleteRecords(kv, 1);
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [] })), []);
  });
});

Deno.test("a reader that begins anywhere gets each following line once, and then the end", async () => {
  await withLog(async (log, kv) => {
    for (let n = 1; n <= 10; n++) await log.write(`line ${n}`);
    await log.flush();
    const lines: string[] = [];
    const following = (async () => {
      for await (
        const records of followLog({ kv, log: () => {} }, 1, 4, new AbortController().signal)
      ) {
        lines.push(...records.map(({ output }) => output));
      }
    })();
    for (let n = 11; n <= 15; n++) {
      await log.write(`line ${n}`);
      await log.flush();
    }
    const op = kv.atomic();
    log.close(op);
    await op.commit();
    await following;
    assert.deepEqual(lines, Array.from({ length: 11 }, (_, n) => `line ${n + 5}`));
  });
});

Deno.test("a reader that leaves releases the store", async () => {
  await withLog(async (_log, kv) => {
    const leaving = new AbortController();
    const following = Array.fromAsync(followLog({ kv, log: () => {} }, 1, 0, leaving.signal));
    leaving.abort();
    assert.deepEqual(await following, []);
  });
});

Deno.test("a writer continues where an earlier one was interrupted", async () => {
  await withLog(async (log, kv) => {
    await log.write("before");
    await log.flush();
    const next = await openLog(targetOf(kv));
    await next.write("after");
    await next.flush();
    assert.deepEqual((await read(kv)).map(({ id, output }) => [id, output]), [
      [1, "before"],
      [2, "after"],
    ]);
  });
});

Deno.test("a former writer changes nothing after another one continued or closed the log", async () => {
  await withLog(async (former, kv, heard) => {
    await former.write("before");
    await former.flush();
    const next = await openLog(targetOf(kv));
    await assert.rejects(() => former.storeWith((op) => op.set(["late"], 1)), { status: 409 });
    await next.write("after");
    await next.flush();
    const stored = await Array.fromAsync(kv.list({ prefix: [] }));
    await former.write("late");
    await assert.rejects(() => former.flush(), { status: 409 });
    await assert.rejects(async () => await former.write("x".repeat(40_000)), { status: 409 });
    const end = kv.atomic();
    former.close(end);
    assert.equal((await end.commit()).ok, false);
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [] })), stored);
    assert.deepEqual(heard.map(({ output }) => output), ["before"]);

    const closing = kv.atomic();
    next.close(closing);
    assert.equal((await closing.commit()).ok, true);
    await assert.rejects(() => openLog(targetOf(kv)), { status: 409 });
  });
});

Deno.test("a writer that continues a log need not be faster than the current one", async () => {
  await withLog(async (former, kv) => {
    // After each read of the next writer, the former one writes a line.
    const get = async (key: Deno.KvKey) => {
      const entry = await kv.get(key);
      await former.write("still here");
      await former.flush().catch(() => {});
      return entry;
    };
    const late = new Proxy(kv, {
      get: (_, name) => name === "get" ? get : Reflect.get(kv, name).bind(kv),
    });
    const next = await openLog(targetOf(late));
    await next.write("after");
    await next.flush();
    assert.deepEqual((await read(kv)).map(({ output }) => output), ["still here", "after"]);
  });
});

Deno.test("a chunk is stored once if its commit is sent twice because the response was lost", async () => {
  await withLog(async (_, kv) => {
    const { atomic } = kv;
    kv.atomic = () => {
      const op = atomic.call(kv);
      const { commit } = op;
      op.commit = async () => (await commit.call(op), { ok: false });
      return op;
    };
    const log = await openLog(targetOf(kv));
    for (const line of ["one", "two"]) {
      await log.write(line);
      await log.flush();
    }
    assert.deepEqual((await read(kv)).map(({ output }) => output), ["one", "two"]);
  });
});

const CUT = "The output reached 1 MB, the limit for a task. The rest is not stored.";

Deno.test("an output ends at its limit and says so, also for a later writer", async () => {
  await withLog(async (_, kv) => {
    const target = { ...targetOf(kv), bytesMax: 1024 * 1024 };
    const log = await openLog(target);
    // 1,023 lines of 1 KiB fit, and then a line with exactly the bytes that are left.
    for (let n = 0; n < 1_023; n++) await log.write("é".repeat(511) + "x");
    await log.write("y".repeat(1_023));
    assert.equal(log.isCut(), false);
    await log.write("");
    assert.equal(log.isCut(), true);
    for (let n = 0; n < 1_000; n++) await log.write("z".repeat(10_000));
    await log.flush();
    const later = await openLog(target);
    assert.equal(later.isCut(), true);
    await later.write("too late");
    await later.writeSentence({ key: "errors.run.shutdown" });
    await later.flush();
    const lines = (await read(kv)).map(({ output }) => output);
    assert.equal(lines.length, 1_026);
    assert.equal(lines[1_023], "y".repeat(1_023));
    assert.deepEqual(lines.slice(1_024), [
      CUT,
      "The task was interrupted because the server was shutting down.",
    ]);
    const { bytes, cut } = await getLogHead(kv, 1);
    assert.equal(cut, true);
    assert.ok(bytes < 1024 * 1024 + 200);
  });
});
