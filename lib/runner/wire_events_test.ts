import assert from "node:assert/strict";
import { emptyRecap, type HostResult, type RunEvent } from "../execution/run/events.ts";
import { readWireEvent, shiftEvent, wireEvent } from "./wire_events.ts";

const lines = { from: 3, to: 7 };
const uuid = "0242ac11-0002-1111-2222-000000000008";

const result: HostResult = {
  type: "result",
  uuid,
  host: "web-1",
  status: "changed",
  changed: true,
  began: 1_700_000_000_000,
  ended: 1_700_000_000_250,
  items: [1, 2, 0, 0],
  hidden: false,
  unchecked: false,
  carriedOut: true,
  delegatedTo: "localhost",
  message: "*** done…",
  itemResults: [{ status: "changed", label: "nginx", message: "" }],
  diff: "- a\n+ b\n",
  diffSize: 8,
  lines,
  full: { value: { rc: 0, out: ["x"] }, shortened: [{ path: ["out", 0], length: 9 }] },
};

const EVENTS: RunEvent[] = [
  { type: "play", name: "Web", free: false, at: 1_700_000_000_000, lines },
  {
    type: "task",
    uuid,
    name: "Install",
    action: "apt",
    role: "web",
    path: "roles/web/tasks/main.yml",
    line: 4,
    handler: false,
    at: 1_700_000_000_000,
    lines: null,
  },
  { type: "line", uuid, host: "web-1", lines },
  result,
  { ...result, items: null, diff: null, full: null, lines: null },
  { ...result, message: "m".repeat(4_000) + "…", diff: "d".repeat(32 * 1024) + "…" },
  { type: "facts", host: "web-1", facts: { value: { os: "Debian" }, shortened: [] } },
  { type: "facts", host: "web-1", facts: null },
  { type: "include", hosts: ["web-1", "web-2"] },
  { type: "recap", hosts: new Map([["web-1", { ...emptyRecap(), ok: 3, changed: 1 }]]) },
  { type: "lost", count: 2 },
  { type: "end", at: 1_700_000_001_000, lost: 0 },
  { type: "end", at: 1_700_000_001_000, lost: 1, checkMode: ["site.yml:3"], endedEarly: true },
];

const sent = (event: unknown) => JSON.parse(JSON.stringify(event));

Deno.test("each event arrives as it was sent", () => {
  for (const event of EVENTS) assert.deepEqual(readWireEvent(sent(wireEvent(event))), event);
  const withoutFull = { ...result };
  delete withoutFull.full;
  assert.deepEqual(readWireEvent(sent(wireEvent(withoutFull))), withoutFull);
});

Deno.test("an event without one of its members, or with a bad one, is refused", () => {
  const optional = ["full", "checkMode", "endedEarly"];
  for (const event of EVENTS) {
    const whole = sent(wireEvent(event));
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...rest } = whole;
      if (!optional.includes(name)) {
        assert.equal(readWireEvent(rest), null, `${event.type} ${name}`);
      }
      for (const bad of [{}, [[]], -1, "\n".repeat(100_000), 1e300]) {
        assert.equal(readWireEvent({ ...whole, [name]: bad }), null, `${event.type} ${name}`);
      }
    }
  }
  for (const value of [null, undefined, [], "end", 1, { type: "other" }]) {
    assert.equal(readWireEvent(value), null);
  }
});

Deno.test("an event that is too large or too deep is refused", () => {
  const deep = (depth: number) => JSON.parse('{"a":'.repeat(depth) + "1" + "}".repeat(depth));
  const facts = (value: unknown) =>
    readWireEvent({ type: "facts", host: "a", facts: { value, shortened: [] } });
  assert.ok(facts(deep(40)));
  assert.equal(facts(deep(100)), null);
  assert.equal(facts(deep(5_000)), null);
  assert.equal(facts({ a: "x".repeat(60_000) }), null);
  assert.equal(readWireEvent({ type: "include", hosts: Array(101).fill("a") }), null);
  assert.equal(readWireEvent({ type: "recap", hosts: Array(101).fill(["a", emptyRecap()]) }), null);
  assert.equal(readWireEvent({ ...result, host: "h".repeat(502) }), null);
  assert.equal(
    readWireEvent({ ...result, itemResults: Array(51).fill(result.itemResults[0]) }),
    null,
  );
});

Deno.test("a value with more parts than fit is refused before it is written as JSON", () => {
  const parts = Array.from({ length: 100_000 }, () => []);
  const toJSON = () => assert.fail("It was written as JSON.");
  const facts = { value: { parts, last: { toJSON } }, shortened: [] };
  assert.equal(readWireEvent({ type: "facts", host: "web", facts }), null);
});

Deno.test("members that an event does not have are dropped", () => {
  const odd = JSON.parse('{"type":"lost","count":1,"__proto__":{"a":1},"more":1}');
  assert.deepEqual(readWireEvent(odd), { type: "lost", count: 1 });
});

Deno.test("times are shifted by the difference of the clocks, and stay times", () => {
  assert.deepEqual(shiftEvent(EVENTS[0], 5_000), { ...EVENTS[0], at: 1_700_000_005_000 });
  const { began, ended } = result;
  const later = { ...result, began: began - 1_000, ended: ended - 1_000 };
  assert.deepEqual(shiftEvent(result, -1_000), later);
  for (const ms of [-1e17, 1e17]) {
    for (const event of EVENTS) assert.ok(readWireEvent(sent(wireEvent(shiftEvent(event, ms)))));
  }
  assert.equal(shiftEvent(EVENTS[10], 5_000), EVENTS[10]);
});
