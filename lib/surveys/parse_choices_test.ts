import assert from "node:assert/strict";
import { findAllowed, parseAllowedUrls } from "../base/settings/survey_urls.ts";
import { createMemory } from "../store/memory.ts";
import { parseChoices } from "./parse_choices.ts";

const server = { memory: createMemory() };

const valuesIn = async (text: string, key?: string) => {
  const { choices, problem } = await parseChoices(server, text, { key });
  return Array.isArray(choices) ? choices.map(({ value }) => value) : problem?.key;
};

Deno.test("lists are read from YAML and JSON, with values as they are written", async () => {
  assert.deepEqual(await valuesIn("- 0755\n- 1.10\n- yes\n- a\n- a\n"), [
    "0755",
    "1.10",
    "yes",
    "a",
  ]);
  assert.deepEqual(await valuesIn('{"a": {"b": [1, true, "x"]}}', "a.b"), ["1", "true", "x"]);
  assert.deepEqual(await valuesIn("a:\n  b: {x: 1, y: 2}\n", "a.b"), ["x", "y"]);
  const { choices } = await parseChoices(server, "- {name: One, value: 1}\n- {value: 2}\n", {});
  assert.deepEqual(choices, [{ name: "One", value: "1" }, { name: "2", value: "2" }]);
  const by = await parseChoices(server, "a: [x]\nb: [y, z]\n", { by: "q" });
  assert.deepEqual(Object.keys(by.choices ?? {}), ["a", "b"]);
});

Deno.test("a document without choices says why", async () => {
  assert.equal(await valuesIn("a: 1", "a"), "errors.choices.no_list");
  assert.equal(await valuesIn("a: 1", "constructor"), "errors.choices.no_list");
  assert.equal(await valuesIn("- [a]"), "errors.choices.no_list");
  assert.equal(await valuesIn("a: ["), "errors.choices.not_parsed");
  assert.equal(await valuesIn(`- ${"x".repeat(256 * 1024)}`), "errors.choices.too_large");
  assert.equal(await valuesIn("- a\n".repeat(10) + range(1_001)), "errors.choices.over_limit");
  const by = await parseChoices(server, "- a", { by: "q" });
  assert.equal(by.problem?.key, "errors.choices.no_map");
});

const range = (count: number) => Array.from({ length: count }, (_, n) => `- ${n}\n`).join("");

Deno.test("crafted YAML is refused", async () => {
  assert.equal(await valuesIn("[".repeat(100_000)), "errors.choices.not_parsed");
});

Deno.test("aliases cannot repeat a list until it fills the memory", async () => {
  const aliases = Array.from({ length: 98 }, (_, n) => `b${n}: *a\n`).join("");
  const list = Array.from({ length: 1_000 }, (_, n) => 10_000 + n).join(",");
  const { choices, problem } = await parseChoices(server, `a: &a [${list}]\n${aliases}`, {
    by: "q",
  });
  assert.equal(choices, null);
  assert.equal(problem?.key, "errors.choices.too_large");
});

Deno.test("all positions of a document are read in one pass", async () => {
  const { Worker } = globalThis;
  let workers = 0;
  globalThis.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      workers++;
    }
  };
  try {
    const keys = Array.from({ length: 100 }, (_, n) => `k${n}`);
    const text = keys.map((key) => `${key}: [of-${key}]\n`).join("");
    assert.deepEqual(
      await Promise.all(keys.map((key) => valuesIn(text, key))),
      keys.map((key) => [`of-${key}`]),
    );
    assert.equal(workers, 1);
    const texts = Array.from({ length: 5 }, (_, n) => `- ${n}: # broken\n  ]`);
    const read = await Promise.all([...texts, "- last"].map((text) => valuesIn(text)));
    assert.deepEqual(read, [...texts.map(() => "errors.choices.not_parsed"), ["last"]]);
    assert.equal(workers, 7);
  } finally {
    globalThis.Worker = Worker;
  }
});

Deno.test("an allowed address allows itself and what is below it", () => {
  const allowed = parseAllowedUrls(
    "https://me:p%40ss@a.example/api, http://b.example:8080/, https://me:50%@c.example",
    () => {
      throw new Error("invalid");
    },
  );
  assert.equal(allowed[0].authorization, `Basic ${btoa("me:p@ss")}`);
  assert.equal(allowed[2].authorization, `Basic ${btoa("me:50%")}`);
  const isAllowed = (url: string) => findAllowed(allowed, url) !== undefined;
  for (
    const url of [
      "https://a.example/api",
      "https://a.example/api/x?y=1",
      "http://b.example:8080/any",
    ]
  ) assert.ok(isAllowed(url), url);
  for (
    const url of [
      "https://a.example/apis",
      "https://a.example/api/../x",
      "https://a.example/api/%2e%2e/x",
      "https://a.example/api/..%2fx",
      "https://a.example/api/%2e%2e%5cx",
      "https://a.example/api/..;/x",
      "https://a.example/api/..%2F%zz",
      "http://a.example/api",
      "https://a.example.evil/api",
      "http://b.example/any",
    ]
  ) assert.ok(!isAllowed(url), url);
  assert.ok(isAllowed("https://a.example/api/a..b/..c"));
  for (const text of ["ftp://a/", "a.example", "https://a/?x"]) {
    assert.throws(() =>
      parseAllowedUrls(text, () => {
        throw new Error("invalid");
      })
    );
  }
});
