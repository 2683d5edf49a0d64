import assert from "node:assert/strict";
import { SECRETS, writtenForms } from "../../../tests/support/secret_corpus.ts";
import { conceal } from "../../base/secret.ts";
import { markedLines } from "../log/marks.ts";
import { runLog } from "../log/run_log.ts";
import type { HostResult, RunEvent } from "../run/events.ts";
import { eventReader } from "./event_reader.ts";

const encoder = new TextEncoder();

/** A reader of events in a run with these secrets, and what it has passed on. */
function newReader(secrets: string[] = []) {
  const events: RunEvent[] = [];
  const marks = markedLines();
  const { mask } = runLog(secrets.map(conceal), () => {});
  const onEvent = (event: RunEvent) => void events.push(event);
  const reader = eventReader({ mask, marks, onEvent });
  const write = (...lines: unknown[]) =>
    reader.write(
      encoder.encode(
        lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
      ),
    );
  return { events, marks, reader, write };
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
      await write(
        { e: "play", u: "p", n: text, free: false, at: 1, m: 0 },
        { e: "task", u: "t", n: text, a: text, r: text, p: text, l: 1, hd: false, at: 1, m: 0 },
        { e: "line", u: "t", h: text, m: 0 },
        result({ h: text, to: text, msg: text, d: text, it: [["failed", text, text]] }),
        { e: "include", hosts: [text] },
        { e: "recap", hosts: { [text]: [1, 0, 0, 0, 0, 0, 0] } },
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

Deno.test("a text that was cut amid a secret tells nothing of it", async () => {
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
  const { events, marks, reader, write } = newReader();
  await write(result({ m: 1 }), result({ m: 2, h: "db" }), { e: "include", hosts: ["web"] });
  assert.deepEqual(events, []);
  marks.onLine("ok: [web]", 7);
  marks.onMark();
  await reader.settle();
  assert.deepEqual(events.map(({ type }) => type), ["result"]);
  assert.deepEqual((events[0] as HostResult).lines, { from: 7, to: 7 });
  await reader.end();
  assert.deepEqual(events.map(({ type }) => type), ["result", "result", "include"]);
  assert.equal((events[1] as HostResult).lines, null);
});

Deno.test("no number of events waits for ever", async () => {
  const { events, write } = newReader();
  for (let n = 0; n < 110; n++) {
    await write(...Array.from({ length: 100 }, () => result({ m: 1 })));
  }
  assert.equal(events.length, 1_000);
});

Deno.test("what is no event is passed over, however long", async () => {
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
    { e: "recap", hosts: { a: [1] } },
    long,
    long,
    result({ h: "last" }),
  );
  assert.deepEqual(events.map((event) => (event as HostResult).host), ["last"]);
});

Deno.test("what a result came to is one word, and times never go back", async () => {
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
