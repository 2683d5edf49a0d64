import assert from "node:assert/strict";
import { conceal } from "../../base/secret.ts";
import { createLineMarkers } from "./markers.ts";
import { runLog } from "./run_log.ts";

const encoder = new TextEncoder();

/** Returns the log of an output in these pieces, and the lines of each of its markers. */
async function read(pieces: string[], secrets: string[] = []) {
  const lines: string[] = [];
  const markers = createLineMarkers();
  const log = runLog(secrets.map(conceal), (line) => void lines.push(line));
  await log.say("Running the playbook");
  const output = log.pipe(() => {}, markers);
  for (const piece of pieces) {
    await output.write(encoder.encode(piece.replaceAll("|", markers.marker)));
  }
  await output.end();
  return { lines, markers, marker: markers.marker };
}

Deno.test("each marker stands for the lines since the one before", async () => {
  const { lines, markers } = await read(["\nPLAY [all]\n|\nok: [a]\n|ok: [b]\nmore of b\n||"]);
  assert.deepEqual(lines, [
    "Running the playbook",
    "",
    "PLAY [all]",
    "",
    "ok: [a]",
    "ok: [b]",
    "more of b",
  ]);
  assert.equal(markers.count(), 4);
  const ranges = [1, 2, 3, 4].map((n) => markers.take(n));
  assert.deepEqual(ranges, [{ from: 3, to: 3 }, { from: 5, to: 5 }, { from: 6, to: 7 }, null]);
  assert.equal(markers.take(2), null, "forgotten");
});

Deno.test("a marker is found wherever its text is cut, and nothing of it is output", async () => {
  const { marker } = createLineMarkers();
  for (let at = 1; at < marker.length; at++) {
    const lines: string[] = [];
    const markers = { ...createLineMarkers(), marker };
    const output = runLog([], (line) => void lines.push(line)).pipe(() => {}, markers);
    for (const piece of [`one\n${marker.slice(0, at)}`, `${marker.slice(at)}two\n`]) {
      await output.write(encoder.encode(piece));
    }
    await output.write(encoder.encode(marker.slice(0, at)));
    await output.end();
    assert.deepEqual(lines, ["one", "two"]);
    assert.equal(markers.count(), 1);
  }
});

Deno.test("masks and lines that are too long move no marker", async () => {
  const key = "first line of a key\nsecond line of a key";
  const { lines, markers } = await read(
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
  assert.deepEqual([1, 2, 3].map((n) => markers.take(n)), [{ from: 2, to: 2 }, { from: 3, to: 5 }, {
    from: 6,
    to: 6,
  }]);
});

Deno.test("text that only looks like the beginning of a marker is output", async () => {
  const { lines } = await read(["a\x01", "b\n"]);
  assert.deepEqual(lines, ["Running the playbook", "a\x01b"]);
});

Deno.test("lines of another callback do not belong to the result after them", async () => {
  const { markers } = await read([
    "PLAY\n|\x1b[0;32mok: [web]\x1b[0m\n|profile of web-1\n|profile\nchanged: [web -> db] => {\nmore\n|",
  ]);
  assert.deepEqual([2, 3, 4].map((n) => markers.take(n, "web")), [
    { from: 3, to: 3 },
    null,
    { from: 6, to: 7 },
  ]);
});

Deno.test("a result after many lines with its cause is found, and other results never take its lines", async () => {
  const cause = (lines: number) =>
    Array.from({ length: lines }, (_, n) => `${n}  - name: cause`).join("\n");
  const { markers } = await read([
    `PLAY\n|${cause(27)}\n\x1b[0;31mfatal: [web]: FAILED! => {\x1b[0m\n${cause(90)}\n}\n|`,
    `${cause(30)}\nfailed: [web-1] => {}\nfailed: [web] => {}\n|`,
    `${cause(30)}\n|${cause(12)}\n|`,
  ]);
  const [first, second, unnamed, short] = [2, 3, 4, 5].map((n) => markers.take(n, "web"));
  assert.deepEqual(first, { from: 30, to: 121 });
  assert.deepEqual(second, { from: 153, to: 153 });
  assert.deepEqual(unnamed, { from: 154, to: 183 }, "one of the lines that were not kept");
  assert.equal(short, null);
});

Deno.test("ranges that wait for their results keep a bounded part of their lines", async () => {
  const wide = `${"x".repeat(400)}\n`;
  const pieces = Array.from({ length: 3_000 }, () => `${wide.repeat(20)}|`);
  const { markers } = await read(pieces);
  const text = JSON.stringify(markers.take(2_999, "web"));
  assert.equal(text, JSON.stringify({ from: 2 + 20 * 2_998, to: 1 + 20 * 2_999 }));
  assert.equal(markers.take(3_000, "web")?.to, 1 + 20 * 3_000);
});
