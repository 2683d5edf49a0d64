import assert from "node:assert/strict";
import { LINE_BYTES_MAX, lineSplitter } from "../execution/log/output.ts";
import { outputText } from "./formats.ts";
import { lookAtEnd, PLAIN_LOOK, withOpening } from "./look.ts";

/** Returns a process's output as it is stored, and then as text. */
async function stored(written: string, options = { times: false, plain: false }) {
  let look = PLAIN_LOOK;
  const records: { id: number; time: string; output: string }[] = [];
  const splitter = lineSplitter((line) => {
    records.push({ id: records.length + 1, time: "T", output: withOpening(look, line) });
    look = lookAtEnd(look, line);
  });
  await splitter.write(written);
  await splitter.end();
  async function* chunks() {
    for (const record of records) yield await Promise.resolve([record]);
  }
  let text = "";
  for await (const part of outputText(chunks(), options)) text += part;
  return { records, text };
}

Deno.test("raw output is what was written: long lines are whole, and no color is added", async () => {
  for (const length of [-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, LINE_BYTES_MAX, 3 * LINE_BYTES_MAX]) {
    for (const letter of ["x", "€", "🎭"]) {
      const bytes = new TextEncoder().encode(letter).length;
      const line = letter.repeat(Math.ceil((LINE_BYTES_MAX + length) / bytes));
      for (const written of [`a\n${line}\nb\n\nc\n`, `\x1b[31m${line}\nb\n\x1b[0mc\n`]) {
        const { text } = await stored(written);
        assert.equal(text === written, true, `${length} ${letter}`);
      }
    }
  }
});

Deno.test("a long line has one time, and its parts have the colors that it begins with", async () => {
  const { records, text } = await stored(`\x1b[1;31m${"x".repeat(40_000)}\n\x1b[mend\n`, {
    times: true,
    plain: true,
  });
  assert.equal(text, `T ${"x".repeat(40_000)}\nT end\n`);
  assert.deepEqual(records.slice(1).map(({ output }) => output.slice(0, 10)), [
    "\x1b[;;1;31mx",
    "\x1b[;;1;31mx",
    "\x1b[;;1;31m\x1b",
  ]);
});
