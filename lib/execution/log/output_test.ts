import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { LINE_BYTES_MAX, lineSplitter } from "./output.ts";

async function split(...reads: string[]): Promise<string[]> {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => void lines.push(line));
  for (const text of reads) await splitter.write(text);
  await splitter.end();
  return lines;
}

Deno.test("lines come out as they went in, however they were read", async () => {
  assert.deepEqual(await split("one\ntw", "o\n", "\nthree"), ["one", "two", "", "three"]);
});

Deno.test("a return before the end of line is dropped, others are kept", async () => {
  assert.deepEqual(await split("a\r\n10%\r20%\r", "\nb\r"), ["a", "10%\r20%", "b"]);
});

Deno.test("a line is passed on as soon as it ends", async () => {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => void lines.push(line));
  await splitter.write("first\nsec");
  assert.deepEqual(lines, ["first"]);
});

Deno.test("the next line waits until the one before is taken", async () => {
  const events: string[] = [];
  const splitter = lineSplitter(async (line) => {
    events.push(`begin ${line}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    events.push(`end ${line}`);
  });
  await splitter.write("a\nb\n");
  assert.deepEqual(events, ["begin a", "end a", "begin b", "end b"]);
});

Deno.test("a line of 10 MB comes in parts, nothing of it lost and no character cut", async () => {
  const line = "x€🎭".repeat(1_250_000);
  const reads = Array.from({ length: Math.ceil(line.length / 65_536) }, (_, i) =>
    // Reads come from a decoder, which never splits a character either.
    line.slice(i * 65_536, (i + 1) * 65_536));
  const parts = await split(...reads, "\nnext\n");
  assert.equal(parts.pop(), "next");
  assert.equal(parts.join("") === line, true);
  const encoder = new TextEncoder();
  assert.ok(parts.every((part) => encoder.encode(part).length <= LINE_BYTES_MAX));
  assert.ok(parts.every((part) => part.isWellFormed()));
});

Deno.test("joined again, lines are what was written", async () => {
  const text = fc.array(fc.constantFrom("a", "\n", "€", "🎭", "b".repeat(9000)), { maxLength: 40 });
  await fc.assert(fc.asyncProperty(fc.array(text), async (reads) => {
    const written = reads.map((read) => read.join(""));
    const lines = await split(...written);
    const cutLines = written.join("").split("\n").filter((line) => line.length > 0);
    assert.equal(lines.join(""), cutLines.join(""));
  }));
});
