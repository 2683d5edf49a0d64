import { workOf } from "./support/work.ts";
import assert from "node:assert/strict";
import { z } from "zod";
import { indexSecrets, redactor } from "@/lib/execution/redaction.ts";
import { formValues, parseForm, readForm } from "@/lib/http/form.ts";

/** Makes ready an input of about that size, as awkward as can be, and gives what is done with it. */
type Surface = (size: number) => () => unknown;

/**
 * What is done with texts and lists from outside, each with a size that shows its growth. How long
 * patterns take is looked at in `patterns_test.ts`: they are no steps that can be counted.
 */
const SURFACES: Record<string, [number, Surface]> = {
  "a form of one name": [450, (size) => () => readForm(post("a=1&".repeat(size)))],
  "a form of deep names": [30, (size) => {
    const body = Array.from({ length: size }, (_, n) => `${"a.".repeat(99)}${n}=1`).join("&");
    return () => parseForm(post(body), z.object({ a: z.unknown() }));
  }],
  "what a form shows": [500, (size) => {
    const stored = { rows: Array.from({ length: size }, (_, n) => ({ name: `${n}` })) };
    return () => formValues(stored);
  }],
  "masking a secret of one letter": [
    500,
    (size) => masking("a".repeat(size), "a".repeat(9 * size)),
  ],
  "masking a secret that nearly comes": [
    500,
    (size) => masking(`${"a".repeat(size)}b`, "a".repeat(9 * size)),
  ],
  "indexing secrets": [2, (size) => {
    const secrets = Array.from({ length: size }, (_, n) => `${n}`.padStart(4, "0").repeat(2000));
    return () => indexSecrets(secrets);
  }],
};

const post = (body: string) =>
  new Request("http://test/", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body,
  });

/** The output comes in reads of a hundred units. */
function masking(secret: string, output: string) {
  const index = indexSecrets([secret]);
  const reads = Array.from(
    { length: output.length / 100 },
    (_, n) => output.slice(n * 100, (n + 1) * 100),
  );
  return () => {
    const { write, end } = redactor(index);
    reads.forEach(write);
    end();
  };
}

/** Four times as much may be that much more work: lists grow in leaps. It must not be sixteen. */
const GROWTH_MAX = 7;
/** What the counting itself allocates, more or less. */
const BYTES_AROUND = 3_000_000;

for (const [name, [size, surface]] of Object.entries(SURFACES)) {
  Deno.test(`four times the input is four times the work: ${name}`, async () => {
    await surface(size)();
    const once = await workOf(surface(size));
    const more = await workOf(surface(4 * size));
    const told = `${name}: ${JSON.stringify({ once, more })}`;
    assert.ok(more.steps < GROWTH_MAX * once.steps + 1000, told);
    assert.ok(more.searched < GROWTH_MAX * once.searched + 1000, told);
    assert.ok(more.bytes < GROWTH_MAX * once.bytes + BYTES_AROUND, told);
  });
}
