import * as fc from "@/tests/packages/fast_check.ts";
import * as z from "zod";
import type { Operation } from "@/lib/access/operation.ts";
import { listParameters } from "@/lib/web/api/list_parameters.ts";

/** A request that no client should send. It is made up, or a good request with wrong parts. */
export interface WrongRequest {
  /** Values in the path that replace the good ones, by name. */
  values: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "then",
];

const shortText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", " ", "0", "-1", "null", "\0", "\r\n", "../../etc/passwd", "-o=x", "{{ lookup }}"],
    ...["\ud800", "a\udfffb", "\ufeff", "\u202e", "e\u0301", "👩‍👩‍👧", "%", "%00", "%ff", "[", "{"],
    ...PROTOTYPE_NAMES,
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);

/** Passes many limits in letters, but is too long for a part of a KV key. */
const KEY_BREAKING = 2_100;

const strangeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: shortText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(300, KEY_BREAKING, 70_000, 300_000).map((length) =>
      "x".repeat(length)
    ),
  },
  { weight: 1, arbitrary: fc.constant("\u0001".repeat(60_000)) },
);

const strangeNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e21, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Returns `value` in one of `among` cases, otherwise an empty one of its kind. */
const oneIn = <T>(among: number, value: fc.Arbitrary<T>, empty: T): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: among - 1, arbitrary: fc.constant(empty) },
    { weight: 1, arbitrary: value },
  );

const strangeKey = fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), fc.string({ maxLength: 8 }));

/** Creates own properties even for "__proto__": an object literal would set the prototype. */
const toObject = (entries: [string, unknown][]): object => Object.fromEntries(entries);

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(open.repeat(depth) + "1" + close.repeat(depth));

const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 4, arbitrary: strangeText },
  { weight: 4, arbitrary: strangeNumber },
  { weight: 2, arbitrary: fc.array(fc.oneof(strangeText, strangeNumber), { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(strangeKey, fc.oneof(strangeText, strangeNumber)), {
      maxLength: 4,
    }).map(toObject),
  },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 3_000).map((depth) => nested(depth, "[", "]")) },
  { weight: 1, arbitrary: fc.constant(nested(1_000, '{"a":', "}")) },
  { weight: 1, arbitrary: fc.constant(Array(20_000).fill("1")) },
);

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Values of the schema's types with strange contents, and sometimes one of another type. */
const nearly = (schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: ofType(schema, depth) },
    { weight: 1, arbitrary: strangeValue },
  );

function ofType(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => nearly(one, depth)));
  if (depth > 6) return strangeValue;
  switch (schema.type) {
    case "object":
      return objectOf(schema, depth);
    case "array":
      return fc.array(nearly(schema.items ?? {}, depth + 1), { maxLength: 3 });
    case "string":
      return fc.oneof(strangeText, fc.constantFrom("", "a", "main", "site.yml", "{}", "[]"));
    case "integer":
    case "number":
      return fc.oneof(strangeNumber, fc.integer({ min: 0, max: 3 }));
    case "boolean":
      return fc.boolean();
    default:
      return strangeValue;
  }
}

function objectOf({ properties = {} }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, schema]) =>
    fc.option(nearly(schema, depth + 1).map((value): [string, unknown] => [name, value]), {
      nil: null,
    })
  );
  const others = fc.array(fc.tuple(strangeKey, strangeValue), { minLength: 1, maxLength: 2 });
  return fc.tuple(fc.tuple(...known), oneIn(4, others, [])).map(
    ([entries, more]) => toObject([...entries.filter((entry) => entry !== null), ...more]),
  );
}

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;

/** A good body with some wrong members. */
function spoiled(schema: JsonSchema, good: unknown): fc.Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), "id", "project_id"];
  const changes = fc.uniqueArray(
    fc.constantFrom(...names).chain((name) =>
      nearly(schema.properties?.[name] ?? { type: "integer" })
        .map((value): [string, unknown] => [name, value])
    ),
    { minLength: 1, maxLength: 3, selector: ([name]) => name },
  );
  return changes.map((changed) => toObject([...Object.entries(good ?? {}), ...changed]));
}

/** A good body with strange letters in its texts. Many of them get as far as the store. */
const touched = (good: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(
    ...Object.entries(good ?? {}).map(([name, value]) =>
      typeof value === "string" && value.length > 1
        ? oneIn(2, shortText, "").map((text): [string, unknown] => [name, value + text])
        : fc.constant<[string, unknown]>([name, value])
    ),
  ).map(toObject);

const noJson = fc.oneof(
  fc.constantFrom("", "{", "[1,]", '{"name"', "undefined", "NaN", "'a'", "\ufeff{}", "--", "\0"),
  // Deeper than a recursive reader can go.
  fc.constantFrom("[".repeat(200_000), '{"a":'.repeat(100_000)),
  fc.constant(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  fc.constant(`{"name": ${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`),
);
const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Uint8Array.from(array));

function wrongBody({ body, method }: Operation, good: unknown): fc.Arbitrary<WrongRequest["body"]> {
  if (method === "GET") return fc.constant(null);
  const schema = body ? schemaOf(body) : {};
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: text(spoiled(schema, good)) },
    { weight: 3, arbitrary: text(touched(good)) },
    { weight: 3, arbitrary: text(nearly(schema)) },
    { weight: 1, arbitrary: text(strangeValue) },
    { weight: 1, arbitrary: noJson },
    { weight: 1, arbitrary: bytes },
  );
}

/** Mostly parameters that the operation takes, because others are refused before they are read. */
function wrongQuery(operation: Operation): fc.Arbitrary<[string, string][]> {
  const { query } = operation;
  const known = [
    ...Object.keys(listParameters(operation)),
    ...query ? Object.keys(schemaOf(query).properties ?? {}) : [],
  ];
  const name = fc.oneof(
    { arbitrary: strangeKey, weight: 1 },
    { arbitrary: fc.constantFrom("t", ...known), weight: known.length > 0 ? 9 : 1 },
  );
  const value = fc.oneof(strangeText.filter((text) => text.length < 5_000), strangeNumber)
    .map((made) => String(made).toWellFormed());
  return fc.array(fc.tuple(name.map((text) => text.toWellFormed()), value), { maxLength: 3 });
}

const pathValue = fc.oneof(
  fc.constantFrom("0", "1", "2", "-1", "1.5", "1e9", "0x1", "x", "..", "%00", "%2e%2e", "%ff", "*"),
  fc.constantFrom(String(2 ** 53), "9".repeat(400), "x".repeat(KEY_BREAKING), ...PROTOTYPE_NAMES),
  strangeText.filter((text) => text !== "" && text.length < 500)
    .map((text) => encodeURIComponent(text.toWellFormed())),
);

/** Rarely used, so that most requests get past the lookup of the objects in the path. */
function wrongValues({ path }: Operation): fc.Arbitrary<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (names.length === 0) return fc.constant({});
  const one = fc.tuple(fc.constantFrom(...names), pathValue);
  return oneIn(6, one.map((entry): Record<string, string> => Object.fromEntries([entry])), {});
}

const latin1 = fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e]/g, "?"));
const wrongHeaders = fc.dictionary(
  fc.constantFrom(
    ...["Content-Type", "Accept", "Accept-Language", "Last-Event-ID", "User-Agent", "Range"],
    ...["X-Forwarded-For", "X-Forwarded-Proto", "Content-Encoding", "If-None-Match", "Origin"],
  ),
  fc.oneof(
    latin1,
    fc.constantFrom("text/html", "multipart/form-data", "gzip", "xx-YY;q=9", "null", "1e400"),
    fc.constant("x".repeat(9_000)),
  ),
  { maxKeys: 2 },
);

/** Requests for `operation`. `good` is the body of a request that works. */
export const wrongRequest = (operation: Operation, good: unknown): fc.Arbitrary<WrongRequest> =>
  fc.record({
    values: wrongValues(operation),
    query: oneIn(operation.query || operation.sort ? 2 : 5, wrongQuery(operation), []),
    headers: oneIn(3, wrongHeaders, {}),
    body: wrongBody(operation, good),
  });
