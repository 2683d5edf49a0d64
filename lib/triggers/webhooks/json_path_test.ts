import assert from "node:assert/strict";
import { jsonAtPath, jsonText, parsePayload } from "./incoming.ts";

const body = parsePayload(`{
  "ref": "refs/heads/main",
  "forced": false,
  "nothing": null,
  "empty": "",
  "repository": { "id": 1234567, "owner": { "name": "alice" } },
  "commits": [{ "id": "a1", "files": ["x.yml", "y.yml"] }, { "id": "b2" }],
  "numbers": { "one": 1.0, "half": 0.5, "small": 1e-7, "big": 12345678901234567890, "huge": 1e21 },
  "constructor": "own",
  "__proto__": { "polluted": "yes" }
}`);

/** The value as matchers compare it. */
function valueAtPath(json: unknown, path: string): string | undefined {
  const value = jsonAtPath(json, path);
  return value === undefined ? undefined : jsonText(value);
}

const CASES: [path: string, text: string | undefined][] = [
  ["ref", "refs/heads/main"],
  ["forced", "false"],
  ["nothing", "null"],
  ["empty", ""],
  ["repository.id", "1234567"],
  ["repository.owner.name", "alice"],
  ["repository.owner", '{"name":"alice"}'],
  ["commits.[0].id", "a1"],
  ["commits[1].id", "b2"],
  ["commits.0.files.1", "y.yml"],
  ["commits.0.files", '["x.yml","y.yml"]'],
  ["numbers.one", "1"],
  ["numbers.half", "0.5"],
  ["numbers.small", "0.0000001"],
  ["numbers.big", "12345678901234567890"],
  ["numbers.huge", "1000000000000000000000"],
  ["constructor", "own"],
  ["__proto__.polluted", "yes"],
  ["missing", undefined],
  ["ref.length", undefined],
  ["commits.length", undefined],
  ["commits.2", undefined],
  ["commits.-1", undefined],
  ["commits.at", undefined],
  ["repository.constructor", undefined],
  ["repository.__proto__", undefined],
  ["repository.toString", undefined],
  ["numbers.big.rawJSON", undefined],
  ["", undefined],
  [".", undefined],
  ["nothing.at.all", undefined],
];

for (const [path, text] of CASES) {
  Deno.test(`"${path}" is ${text ?? "nothing"}`, () => assert.equal(valueAtPath(body, path), text));
}

Deno.test("a long number keeps its digits inside an object", () => {
  assert.equal(
    valueAtPath(parsePayload('{"a":{"id":12345678901234567890}}'), "a"),
    '{"id":12345678901234567890}',
  );
});

Deno.test("invalid JSON has no values", () => {
  for (const text of ["", "{", "ref=main", "NaN", '{"a":1}x', "[".repeat(500_000)]) {
    assert.equal(valueAtPath(parsePayload(text), "a"), undefined);
  }
  for (const text of ["1", '"text"', "null", "true", "12345678901234567890"]) {
    assert.equal(valueAtPath(parsePayload(text), "a"), undefined);
  }
});
