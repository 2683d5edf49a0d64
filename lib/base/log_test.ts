import assert from "node:assert/strict";
import { newLog, readLogSettings, requestInHand } from "./log.ts";
import { ConfigError } from "./settings/settings.ts";

/** Values that could look like lines of their own, or change how a terminal shows a line. */
const FORGED =
  "x\n2026-01-01T00:00:00.000Z ERROR forged\r\u0085\u2028\u2029\x1b[2K\x9b2K\u202e\x7f";
// deno-lint-ignore no-control-regex -- what a line must not have
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/;

function linesOf(settings: Parameters<typeof newLog>[0], fields: Record<string, unknown>) {
  const lines: string[] = [];
  const log = newLog(settings, (line) => void lines.push(line));
  // Other tests of this process may have left a request, whose id would be in the lines.
  requestInHand.exit(() => {
    for (const level of ["debug", "info", "warn", "error"] as const) log(level, "event", fields);
  });
  return lines;
}

Deno.test("a log has the lines of its level and of those that are more important", () => {
  const counts = (["error", "warn", "info", "debug"] as const)
    .map((level) => linesOf({ level, format: "json" }, {}).length);
  assert.deepEqual(counts, [1, 2, 3, 4]);
});

Deno.test("no value of a line can look like another line, in either format", () => {
  for (const format of ["json", "text", "plain"] as const) {
    const fields = { message: FORGED, value: FORGED, parts: { [FORGED]: [FORGED] } };
    for (const line of linesOf({ level: "debug", format }, fields)) {
      assert.doesNotMatch(line, UNSAFE);
      if (format === "json") assert.equal(JSON.parse(line).value, FORGED);
    }
  }
});

Deno.test("a line of text is for people: a time, a level, an event, a sentence and fields", () => {
  const fields = {
    message: 'It is "here".',
    plain: "/a/b",
    said: 'two "words"',
    n: 1,
    gone: undefined,
  };
  const [line] = linesOf({ level: "error", format: "text" }, fields);
  assert.match(line!, /^\d{4}-\d\d-\d\dT[\d:.]+Z ERROR event /);
  assert.ok(
    line!.endsWith(String.raw`event It is "here". plain=/a/b said="two \"words\"" n=1`),
    line,
  );
});

Deno.test("a person at a terminal reads sentences as they are, and only problems beside them", () => {
  assert.deepEqual(linesOf({ level: "info", format: "plain" }, { message: 'At "x".' }), [
    'At "x".',
    'At "x".',
    'At "x".',
  ]);
  const lines = linesOf({ level: "info", format: "plain" }, { n: 1 });
  assert.deepEqual(lines.map((line) => line.replace(/^\S+ /, "")), [
    "WARN  event n=1",
    "ERROR event n=1",
  ]);
});

Deno.test("settings of the log that are not known are refused with those that are", () => {
  const read = (name: string, value: string) =>
    readLogSettings({ get: (asked) => asked === name ? value : undefined });
  assert.equal(read("CALLBOARD_LOG_LEVEL", "warn").level, "warn");
  assert.equal(read("CALLBOARD_LOG_FORMAT", "text").format, "text");
  for (const name of ["CALLBOARD_LOG_LEVEL", "CALLBOARD_LOG_FORMAT"]) {
    assert.throws(() => read(name, "loud"), ConfigError);
    assert.throws(
      () => read(name, "loud"),
      new RegExp(`${name} must be \\w+.* or \\w+, not "loud"`),
    );
  }
});
