import assert from "node:assert/strict";
import { effect } from "@preact/signals-core";
import { until } from "@/tests/support/basics/until.ts";
import { createLog } from "./log.ts";

const LINES = 1_000;
const record = (id: number) => ({ id, time: "", output: `line ${id}` });
const records = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => record(from + n));

/** Creates a log of 1,000 lines, of which the page has the last 200. */
function newLog(api = "") {
  const start = { records: records(801, LINES), lines: LINES, isLive: false };
  return createLog({ api, start, line: null, failure: null, lineUrl: "?line=" });
}

/** Serves three sections of 100 lines, all lines, and a match in each tenth line. */
function serveLog() {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const after = Number(searchParams.get("after"));
    if (pathname === "/output") return Response.json(records(after + 1, after + 500));
    if (pathname === "/sections") {
      const sections = [1, 101, 201].map((line) => ({ line, title: "", depth: 1, failed: 0 }));
      return Response.json({ sections, has_next: false, first_failure: 250 });
    }
    if (searchParams.get("q") === "[") return Response.json({ error: "wrong" }, { status: 400 });
    const lines = Array.from({ length: 100 }, (_, n) => 10 * n + 10).slice(after / 10);
    const counts = { searched: LINES, counted: LINES, found: lines.length };
    return Response.json({ lines, marks: lines.map(() => [[0, 4]]), ...counts });
  });
  return { api: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
}

/** Counts how often what `read` reads has changed. */
function changesOf(read: () => unknown): () => number {
  let count = -1;
  effect(() => {
    read();
    count++;
  });
  return () => count;
}

Deno.test("a log follows its end until the reader leaves it, and again from there", () => {
  const { viewport } = newLog();
  assert.deepEqual(viewport.rows.value, { first: 801, last: LINES }, "what the server renders");
  viewport.height.value = 600;
  viewport.placed(20_000);
  assert.deepEqual(viewport.rows.value, { first: 940, last: LINES });
  const box = { scrollHeight: 20_000, clientHeight: 600 };
  viewport.scrolled({ ...box, scrollTop: 10_000 }, { line: 501, offset: -3 });
  assert.equal(viewport.follow.value, false);
  assert.deepEqual(viewport.rows.value, { first: 460, last: 570 });
  viewport.scrolled({ ...box, scrollTop: 2_000 }, null);
  assert.deepEqual(viewport.anchor(() => null), { line: 101, offset: 0 }, "the line of a gap");
  viewport.scrolled({ ...box, scrollTop: 19_400 }, null);
  assert.equal(viewport.follow.value, true, "the end, although its rows are not rendered yet");
  assert.deepEqual(viewport.rows.value, { first: 940, last: LINES });
  viewport.scrolled({ ...box, scrollTop: 10_000 }, { line: 501, offset: -3 });
  viewport.scrolled({ ...box, scrollTop: 18_400, scrollHeight: 19_000 }, null);
  assert.equal(viewport.follow.value, false, "lines went, and the reader did not go to the end");
  viewport.setFollow(true);
  assert.equal(viewport.rows.value.last, LINES);
  viewport.scrolled({ ...box, scrollTop: 10_000, scrollHeight: 21_000 }, { line: 501 });
  assert.equal(viewport.follow.value, true, "lines came, and the reader did not leave");
});

Deno.test("a row names its own line only", () => {
  const log = newLog();
  const [at810, at900] = [810, 900].map((id) => {
    const { isCurrent, marks, section } = log.row(id);
    return changesOf(() => [isCurrent.value, marks.value, section.value]);
  });
  log.lines.total.value = 1_005;
  log.outline.fold(true);
  assert.deepEqual([at810(), at900()], [0, 0]);
  log.goTo(810);
  assert.deepEqual([at810(), at900()], [1, 0]);
  log.goTo(900);
  assert.deepEqual([at810(), at900()], [2, 1]);
  assert.equal(log.viewport.follow.value, false);
});

Deno.test("an open log reads missing lines and sections, and going to a folded line shows it", async () => {
  const { api, stop } = serveLog();
  const log = newLog(api);
  const close = log.open();
  try {
    log.viewport.height.value = 600;
    log.goTo(150);
    await until(() => log.lines.find(150) !== undefined);
    await until(() => log.outline.hasSections.value);
    log.outline.fold(true);
    assert.equal(log.outline.folds.value.rows, 3);
    log.goToFailure();
    assert.equal(log.current.value, 250);
    assert.ok(!log.outline.folds.value.hides(250), "its section is open");
    assert.ok(log.outline.folds.value.hides(150), "others stay folded");
    assert.equal(log.outline.sizeOf(log.outline.at(101)!), 99);
  } finally {
    close();
    await stop();
  }
});

Deno.test("a search counts to the end, and its matches are gone through in a circle", async () => {
  const { api, stop } = serveLog();
  const log = newLog(api);
  const close = log.open();
  const { search } = log;
  try {
    search.look({ text: "line" });
    assert.ok(search.isEmpty.value);
    await until(() => search.found.value.counted === LINES);
    assert.deepEqual(log.row(20).marks.value, [[0, 4]]);
    search.next();
    search.next();
    assert.deepEqual([search.position.value, log.current.value], [1, 20]);
    search.previous();
    search.previous();
    assert.deepEqual([search.position.value, log.current.value], [99, 1_000]);
    search.look({ text: "[", isRegex: true });
    assert.equal(log.row(20).marks.value, undefined);
    await until(() => search.problem.value === "wrong");
    search.look({ isRegex: false });
    assert.equal(search.problem.value, "");
  } finally {
    close();
    await stop();
  }
});
