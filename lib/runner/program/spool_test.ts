import assert from "node:assert/strict";
import type { RunEvent } from "../../execution/run/events.ts";
import { until } from "@/tests/support/basics/until.ts";
import { createSpool, type Spool } from "./spool.ts";

const event = (n: number): RunEvent => ({ type: "lost", count: n });

/** Creates a spool in a folder of its own. */
async function newSpool(waitingBytesMax?: number, waitMs = 60_000) {
  const directory = await Deno.makeTempDir({ prefix: "callboard_spool_" });
  const calls: string[] = [];
  const fullDisk = {
    waitMs,
    onFull: () => void calls.push("full"),
    onLate: () => void calls.push("late"),
  };
  const spool = createSpool(directory, fullDisk, waitingBytesMax);
  const files = () => [...Deno.readDirSync(directory)].map(({ name }) => name);
  const bytes = () =>
    files().reduce((sum, name) => sum + Deno.statSync(`${directory}/${name}`).size, 0);
  return { spool, directory, files, bytes, calls, [Symbol.asyncDispose]: () => spool.remove() };
}

/** Takes reports until there is nothing left, as a server that has `taken`. */
async function takeAll(spool: Spool, taken = { lines: [] as string[], events: [] as string[] }) {
  while (spool.isUnsent) {
    const batch = await spool.next(1);
    assert.deepEqual([batch.linesFrom, batch.eventsFrom], [
      taken.lines.length,
      taken.events.length,
    ]);
    taken.lines.push(...batch.lines);
    taken.events.push(...batch.events);
    const { length } = taken.lines;
    await spool.acknowledge({ lines: length, events: taken.events.length, stored_lines: length });
  }
  return taken;
}

Deno.test("lines and events come back in their order, however many they are", async () => {
  await using stage = await newSpool();
  const { spool, files } = stage;
  const text = (n: number) => `${n} ${"ü\n".repeat(50)}`;
  for (let n = 0; n < 20_000; n++) {
    await spool.addLine(n, text(n));
    if (n % 2 === 0) await spool.addEvent(event(n));
  }
  assert.ok(files().some((name) => name.startsWith("lines.")));
  const { lines, events } = await takeAll(spool);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)[0]),
    Array.from({ length: 20_000 }, (_, n) => n),
  );
  assert.equal(JSON.parse(lines[19_999]!)[1], text(19_999));
  assert.deepEqual(JSON.parse(events[9_999]!), event(19_998));
  assert.equal(spool.unsentBytes, 0);
  assert.deepEqual(files().filter((name) => name.startsWith("lines.")), []);
});

Deno.test("an event is sent with or after the lines before it, and a report has a limit", async () => {
  await using stage = await newSpool();
  const { spool } = stage;
  for (let n = 0; n < 100; n++) await spool.addLine(0, "x".repeat(15_000));
  await spool.addEvent(event(1));
  const { lines, events } = await spool.next(1);
  assert.deepEqual([lines.length < 40, events], [true, []]);
  assert.ok((await spool.next(1 / 256)).lines.length === 1);
  assert.deepEqual((await takeAll(spool)).events.length, 1);
});

Deno.test("a server that is behind, or begins anew, gets the events again from the first", async () => {
  await using stage = await newSpool();
  const { spool } = stage;
  for (let n = 0; n < 5_000; n++) {
    await spool.addLine(n, "line");
    await spool.addEvent(event(n));
  }
  const { lines } = await takeAll(spool);
  assert.equal(await spool.acknowledge({ lines: 5_000, events: 0, stored_lines: 5_000 }), true);
  const again = await takeAll(spool, { lines, events: [] });
  assert.deepEqual(
    again.events.map((text) => JSON.parse(text).count),
    Array.from({ length: 5_000 }, (_, n) => n),
  );
  assert.equal(await spool.acknowledge({ lines: 10, events: 0, stored_lines: 10 }), false);
});

Deno.test("a writer waits while the server is too far behind, until it is not, or no one cares", async () => {
  for (const end of ["acknowledge", "close"] as const) {
    await using stage = await newSpool(1024 * 1024);
    const { spool, bytes } = stage;
    let written = 0;
    const writing = (async () => {
      for (; written < 4_000; written++) await spool.addLine(0, "x".repeat(1_000));
    })();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(written < 1_200, `${written}`);
    assert.ok(bytes() < 1_500_000);
    if (end === "close") spool.close();
    else {while (written < 4_000) {
        await takeAll(spool, { lines: Array(spool.count.lines).fill(""), events: [] }).catch(
          () => {},
        );
        const { lines } = spool.count;
        await spool.acknowledge({ lines, events: 0, stored_lines: lines });
        await new Promise((resolve) => setTimeout(resolve, 1));
      }}
    await writing;
    assert.equal(spool.count.lines, 4_000);
  }
});

/** Lets no file be written, as on a full disk, until it is disposed. */
function fillDisk() {
  const write = Deno.writeTextFile;
  Deno.writeTextFile = () =>
    Promise.reject(Object.assign(new Error("No space left on device"), { code: "ENOSPC" }));
  return { [Symbol.dispose]: () => void (Deno.writeTextFile = write) };
}

const LONG = "x".repeat(10_000);

Deno.test("a full disk holds the run until there is space, and no line is lost", async () => {
  await using stage = await newSpool();
  const { spool, calls } = stage;
  let added = 0;
  let filling: Promise<void>;
  {
    using _full = fillDisk();
    filling = (async () => {
      for (; added < 100; added++) await spool.addLine(added, LONG);
    })();
    await until(() => calls.includes("full"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(added < 100);
  }
  await filling;
  const { lines } = await takeAll(spool);
  assert.deepEqual(lines.map((line) => JSON.parse(line)[0]), Array.from(Array(100).keys()));
  assert.deepEqual(calls, ["full"]);
});

Deno.test("lines that the server takes need no space on a full disk", async () => {
  await using stage = await newSpool();
  const { spool } = stage;
  using _full = fillDisk();
  const adding = (async () => {
    for (let n = 0; n < 100; n++) await spool.addLine(n, LONG);
  })();
  const taken = { lines: [] as string[], events: [] as string[] };
  await until(async () => (await takeAll(spool, taken)).lines.length === 100);
  await adding;
  assert.deepEqual(taken.lines.map((line) => JSON.parse(line)[0]), Array.from(Array(100).keys()));
});

Deno.test("a disk that stays full ends the run, whose last events stay in memory", async () => {
  await using stage = await newSpool(undefined, 50);
  const { spool, calls } = stage;
  using _full = fillDisk();
  const output = (n: number): RunEvent => ({ type: "output", name: `n${n}`, value: LONG });
  for (let n = 0; n < 100; n++) await spool.addEvent(output(n));
  assert.deepEqual(calls, ["full", "late"]);
  assert.equal((await takeAll(spool)).events.length, 100);
});
