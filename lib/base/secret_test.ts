import assert from "node:assert/strict";
import { conceal, reveal, secretJson, secretsIn } from "./secret.ts";

Deno.test("a secret is not visible in anything that is derived from it", () => {
  const held = { deep: [{ password: conceal("hunter22") }] };
  const { password } = held.deep[0];
  const seen = [
    JSON.stringify(held),
    Deno.inspect(held, { depth: 9, showHidden: true, getters: true }),
    `${Object.entries(password)} ${Object.getOwnPropertyNames(password)} ${String(password)}`,
  ];
  for (const text of seen) assert.ok(!text.includes("hunter22"), text);
  // @ts-expect-error: a secret is not assignable to a string
  const text: string = password;
  assert.ok(!String(text).includes("hunter22"));
  assert.equal(reveal(password, "compare"), "hunter22");
  assert.equal(reveal(secretJson(held), "compare"), '{"deep":[{"password":"hunter22"}]}');
});

Deno.test("all secrets of a value are found at every depth", () => {
  let value: unknown = conceal("innermost");
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  const found = secretsIn({ value, none: null, text: "open", list: [conceal("a"), conceal("b")] });
  assert.deepEqual(found.map((one) => reveal(one, "compare")).toSorted(), ["a", "b", "innermost"]);
});
