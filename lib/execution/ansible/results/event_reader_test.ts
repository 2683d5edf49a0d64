import assert from "node:assert/strict";
import { SECRETS, writtenForms } from "@/tests/support/basics/secret_corpus.ts";
import { conceal } from "../../../base/secret.ts";
import { createLineMarkers } from "../../log/markers.ts";
import { runLog } from "../../log/run_log.ts";
import type { HostResult, RunEvent } from "../../run/events.ts";
import { eventReader } from "./event_reader.ts";

const encoder = new TextEncoder();

/** Creates a reader of events in a run with these secrets, and collects its events. */
function newReader(secrets: string[] = []) {
  const events: RunEvent[] = [];
  const markers = createLineMarkers();
  const { mask } = runLog(secrets.map(conceal), () => {});
  const allWaiting = { length: 0 };
  const onEvent = (event: RunEvent) => void events.push(event);
  const reader = eventReader({ mask, markers, allWaiting, onEvent });
  const write = (...lines: unknown[]) =>
    reader.write(
      encoder.encode(
        lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
      ),
    );
  return { events, markers, reader, write, allWaiting };
}

const result = (changes: Record<string, unknown> = {}) => ({
  e: "result",
  u: "t1",
  h: "web",
  s: "ok",
  b: 1,
  at: 2,
  m: 0,
  ...changes,
});

Deno.test("a secret is masked in every text of an event, in whatever form it comes", async () => {
  for (const secret of SECRETS) {
    const { events, write } = newReader([secret]);
    for (const form of writtenForms(secret)) {
      if (form.length > 190) continue;
      const text = `<${form}>`;
      // Names of actions and roles have a lower limit.
      const short = text.length <= 100 ? text : "<***>";
      await write(
        { e: "play", u: "p", n: text, free: false, at: 1, m: 0 },
        { e: "task", u: "t", n: text, a: short, r: short, p: text, l: 1, hd: false, at: 1, m: 0 },
        { e: "line", u: "t", h: text, m: 0 },
        result({ h: text, to: text, msg: text, d: text, it: [["failed", text, text]] }),
        { e: "include", hosts: [text] },
        { e: "recap", hosts: [[text, [1, 0, 0, 0, 0, 0, 0]]] },
      );
      const told = JSON.stringify(
        events.splice(0),
        (_, value) => value instanceof Map ? [...value] : value,
      );
      assert.equal(told.match(/<\*\*\*>/g)?.length, 14, told);
      assert.equal(told.match(/</g)?.length, 14, told);
    }
  }
});

Deno.test("a text that was cut amid a secret reveals nothing of it", async () => {
  for (const secret of SECRETS) {
    const { events, write } = newReader([secret]);
    for (const form of writtenForms(secret)) {
      if (form.length > 200) continue;
      for (let length = 1; length <= form.length; length += 3) {
        await write(result({ msg: [form.slice(0, length)] }));
        const [{ message }] = events.splice(0) as HostResult[];
        assert.match(message, /^(\*\*\*)*…$/, form);
      }
    }
  }
});

Deno.test("an event waits for the output that was printed for it", async () => {
  const { events, markers, reader, write } = newReader();
  await write(result({ m: 1 }), result({ m: 2, h: "db" }), { e: "include", hosts: ["web"] });
  assert.deepEqual(events, []);
  markers.onLine("ok: [web]", 7);
  markers.onMarker();
  await reader.settle();
  assert.deepEqual(events.map(({ type }) => type), ["result"]);
  assert.deepEqual((events[0] as HostResult).lines, { from: 7, to: 7 });
  await reader.end();
  assert.deepEqual(events.map(({ type }) => type), ["result", "result", "include"]);
  assert.equal((events[1] as HostResult).lines, null);
});

Deno.test("events wait for a limited time, however many or large they are", async () => {
  const { events, write } = newReader();
  for (let n = 0; n < 110; n++) {
    await write(...Array.from({ length: 100 }, () => result({ m: 1 })));
  }
  assert.equal(events.length, 1_000);
  const large = newReader();
  const event = result({ m: 1, d: "d".repeat(32 * 1024) });
  for (let n = 0; n < 1_000; n++) await large.write(event);
  assert.ok(large.allWaiting.length <= 8 * 1024 * 1024, `${large.allWaiting.length} wait`);
  assert.ok(large.events.length > 700, `${large.events.length} have gone on`);
  await large.reader.end();
  assert.deepEqual([large.events.length, large.allWaiting.length], [1_000, 0]);
});

Deno.test("all runs of a server share the room for waiting events, and give it back", async () => {
  const { events, reader, write, allWaiting } = newReader();
  allWaiting.length = 32 * 1024 * 1024;
  await write(result({ m: 1 }));
  assert.equal(events.length, 1);
  allWaiting.length = 0;
  await write(result({ m: 1 }));
  assert.equal(events.length, 1);
  assert.ok(allWaiting.length > 0);
  reader.close();
  assert.equal(allWaiting.length, 0);
});

Deno.test("while many events are read, others have their turn, and the order stays", async () => {
  const { events, reader, write } = newReader(["a secret of this run"]);
  const event = (n: number) => result({ m: 1, h: `h${n}`, msg: "a secret ".repeat(400) });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await write(...Array.from({ length: 1_500 }, (_, n) => event(n)));
  clearInterval(timer);
  const ending = reader.end();
  const late = reader.settle();
  await Promise.all([ending, late]);
  assert.deepEqual(
    events.map((told) => (told as HostResult).host),
    Array.from({ length: 1_500 }, (_, n) => `h${n}`),
  );
  assert.ok(turns > 0, "nothing else ran");
});

Deno.test("times and numbers have bounds, and whatever is beyond them counts as lost", async () => {
  const { events, write } = newReader();
  const beyond = Number.MAX_SAFE_INTEGER;
  await write(
    result({ b: beyond }),
    result({ at: beyond }),
    result({ m: beyond }),
    result({ ds: beyond }),
    result({ i: [beyond, 0, 0, 0] }),
    { e: "play", u: "p", n: "", free: false, at: beyond, m: 0 },
    { e: "task", u: "t", n: "", a: "", r: "", p: "", l: 1, hd: false, at: beyond, m: 0 },
    { e: "task", u: "t", n: "", a: "", r: "", p: "", l: beyond, hd: false, at: 1, m: 0 },
    { e: "recap", hosts: [["web", [beyond, 0, 0, 0, 0, 0, 0]]] },
    { e: "end", at: beyond, lost: 0, m: 0 },
    { e: "end", at: 1, lost: beyond, m: 0 },
    { e: "include", hosts: Array(101).fill("web") },
    result({ h: "x".repeat(501) }),
  );
  assert.deepEqual(events, Array(13).fill({ type: "lost", count: 1 }));
});

Deno.test("a host whose name was cut is reported like any other", async () => {
  const { events, write } = newReader();
  const cut = ["h".repeat(500)];
  await write(result({ h: cut }), {
    e: "recap",
    hosts: [["web", [1, 0, 0, 0, 0, 0, 0]], [cut, [0, 0, 0, 1, 0, 0, 0]]],
  });
  const [told, recap] = events;
  const name = `${"h".repeat(500)}…`;
  assert.ok(told.type === "result" && recap.type === "recap");
  assert.equal(told.host, name);
  assert.deepEqual([...recap.hosts.keys()], ["web", name]);
  assert.equal(recap.hosts.get(name)!.failed, 1);
});

Deno.test("anything that is not an event counts as lost, however long", async () => {
  const { events, write } = newReader();
  const long = "x".repeat(1_000_000);
  await write(
    "bwrap: something else",
    "{",
    "{}",
    "[]",
    "null",
    { e: "play" },
    result({ s: "fine" }),
    result({ msg: "m".repeat(4_001) }),
    result({ u: "../../x" }),
    result({ i: [1, 2] }),
    result({ at: -1 }),
    { e: "recap", hosts: [["a", [1]]] },
    { e: "recap", hosts: { a: [1, 0, 0, 0, 0, 0, 0] } },
    "x".repeat(3_000_000),
    long,
    long,
    result({ h: "last" }),
  );
  assert.deepEqual(events.slice(0, -1), Array(16).fill({ type: "lost", count: 1 }));
  assert.equal((events.at(-1) as HostResult).host, "last");
});

Deno.test("the status of a result is one word, and times never go back", async () => {
  const { events, write } = newReader();
  await write(
    result({ c: true }),
    result({ s: "failed", ig: true, c: true }),
    result({ s: "failed", re: true }),
    result({ s: "unreachable", ig: true }),
    result({ s: "skipped", b: 9, at: 2 }),
  );
  const results = events as HostResult[];
  assert.deepEqual(results.map(({ status }) => status), [
    "changed",
    "ignored",
    "rescued",
    "ignored",
    "skipped",
  ]);
  assert.deepEqual([results[4].began, results[4].ended], [2, 2]);
});
