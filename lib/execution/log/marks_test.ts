import assert from "node:assert/strict";
import { conceal } from "../../base/secret.ts";
import { markedLines } from "./marks.ts";
import { runLog } from "./run_log.ts";

const encoder = new TextEncoder();

/** Returns the log of an output in these pieces, and the lines of each of its marks. */
async function read(pieces: string[], secrets: string[] = []) {
  const lines: string[] = [];
  const marks = markedLines();
  const log = runLog(secrets.map(conceal), (line) => void lines.push(line));
  await log.say("Running the playbook");
  const output = log.pipe(() => {}, marks);
  for (const piece of pieces) await output.write(encoder.encode(piece.replaceAll("|", marks.mark)));
  await output.end();
  return { lines, marks, mark: marks.mark };
}

Deno.test("each mark stands for the lines since the one before", async () => {
  const { lines, marks } = await read(["\nPLAY [all]\n|\nok: [a]\n|ok: [b]\nmore of b\n||"]);
  assert.deepEqual(lines, [
    "Running the playbook",
    "",
    "PLAY [all]",
    "",
    "ok: [a]",
    "ok: [b]",
    "more of b",
  ]);
  assert.equal(marks.count(), 4);
  const ranges = [1, 2, 3, 4].map((n) => marks.take(n));
  assert.deepEqual(ranges, [{ from: 3, to: 3 }, { from: 5, to: 5 }, { from: 6, to: 7 }, null]);
  assert.equal(marks.take(2), null, "forgotten");
});

Deno.test("a mark is found wherever its text is cut, and nothing of it is output", async () => {
  const { mark } = markedLines();
  for (let at = 1; at < mark.length; at++) {
    const lines: string[] = [];
    const marks = { ...markedLines(), mark };
    const output = runLog([], (line) => void lines.push(line)).pipe(() => {}, marks);
    for (const piece of [`one\n${mark.slice(0, at)}`, `${mark.slice(at)}two\n`]) {
      await output.write(encoder.encode(piece));
    }
    await output.write(encoder.encode(mark.slice(0, at)));
    await output.end();
    assert.deepEqual(lines, ["one", "two"]);
    assert.equal(marks.count(), 1);
  }
});

Deno.test("masks and lines that are too long move no mark", async () => {
  const key = "first line of a key\nsecond line of a key";
  const { lines, marks } = await read(
    [`${key}\n|${"x".repeat(40_000)}\n|after\n|`],
    [key],
  );
  assert.deepEqual(lines.map((line) => line.slice(0, 5)), [
    "Runni",
    "***",
    "xxxxx",
    "xxxxx",
    "xxxxx",
    "after",
  ]);
  assert.deepEqual([1, 2, 3].map((n) => marks.take(n)), [{ from: 2, to: 2 }, { from: 3, to: 5 }, {
    from: 6,
    to: 6,
  }]);
});

Deno.test("text that only looks like the beginning of a mark is output", async () => {
  const { lines } = await read(["a\x01", "b\n"]);
  assert.deepEqual(lines, ["Running the playbook", "a\x01b"]);
});

Deno.test("lines of another callback do not belong to the result after them", async () => {
  const { marks } = await read([
    "PLAY\n|\x1b[0;32mok: [web]\x1b[0m\n|profile of web-1\n|profile\nchanged: [web -> db] => {\nmore\n|",
  ]);
  assert.deepEqual([2, 3, 4].map((n) => marks.take(n, "web")), [
    { from: 3, to: 3 },
    null,
    { from: 6, to: 7 },
  ]);
});
