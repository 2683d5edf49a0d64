import assert from "node:assert/strict";
import * as z from "zod";
import { parseExact } from "../../base/text/exact_json.ts";
import { asSent } from "./as_sent.ts";

const schema = z.object({
  id: z.int(),
  limit: z.int().nullish(),
  name: z.string().optional(),
  nested: z.object({ position: z.int() }).transform(({ position }) => position).nullish(),
  list: z.array(z.int()).optional(),
  positions: z.record(z.string(), z.int()).optional(),
}).superRefine(() => {});

Deno.test("numbers may be sent as text where the schema expects a number", () => {
  const sent = { id: " 5 ", limit: "7", nested: { position: "2" }, list: ["1", 2] };
  assert.deepEqual(asSent(schema, { ...sent, positions: { 3: "0" } }), {
    id: 5,
    limit: 7,
    nested: { position: 2 },
    list: [1, 2],
    positions: { 3: 0 },
  });
});

Deno.test("an empty text counts as no number, and null as not sent", () => {
  assert.deepEqual(asSent(schema, { id: "", limit: "", name: null, list: null }), {
    id: "",
    limit: null,
    name: undefined,
    list: undefined,
  });
});

Deno.test("everything else is passed on unchanged for the schema to refuse", () => {
  const values = [{ id: "5x", name: "7", other: "1" }, { id: "1e3" }, { id: "9".repeat(40) }];
  for (const value of values) assert.deepEqual(asSent(schema, value), value);
  for (const value of [null, 5, "5", [], undefined]) assert.deepEqual(asSent(schema, value), value);
  const strange = JSON.parse('{"__proto__": {"id": "1"}, "toString": "2"}');
  assert.deepEqual(asSent(schema, strange), strange);
});

Deno.test("numbers keep their digits only where a schema takes any value", () => {
  const any = z.record(z.string(), z.unknown());
  const sent =
    '{"id":1.0,"any":{"id":1.0,"more":[1e400]},"either":{"id":-0},"words":[2.0],"x":[3.0]}';
  const exact = z.object({
    id: z.int(),
    any: any.nullish(),
    either: z.union([z.string(), any]),
    words: z.union([z.array(z.string()), z.string()]),
  });
  assert.equal(
    JSON.stringify(asSent(exact, parseExact(sent))),
    '{"id":1,"any":{"id":1.0,"more":[1e400]},"either":{"id":-0},"words":[2],"x":[3]}',
  );
  for (const value of ["1.0", "[1.0]"]) {
    assert.equal(JSON.stringify(asSent(z.string(), parseExact(value))), value.replace(".0", ""));
  }
});
