import assert from "node:assert/strict";
import { isDiskFull } from "../../base/machine/disk_space.ts";
import { AppError } from "../../base/errors.ts";
import { whenSpace } from "./full_disk.ts";

const noSpace = () => Object.assign(new Error("write failed"), { code: "ENOSPC" });
const machineAt = (dataDir: string, waitMs: number) => ({
  dataDir,
  fullDisk: { waitMs, reason: "errors.run.disk_full" as const },
});
const never = new AbortController().signal;

Deno.test("a run begins again while the disk is full, and says so once", async () => {
  const dataDir = await Deno.makeTempDir();
  const waits: number[] = [];
  let tries = 0;
  const found = await whenSpace(
    machineAt(dataDir, 60_000),
    never,
    () => ++tries < 3 ? Promise.reject(noSpace()) : Promise.resolve("ran"),
    (seconds) => Promise.resolve(void waits.push(seconds)),
  );
  assert.equal(found, "ran");
  assert.deepEqual({ tries, waits }, { tries: 3, waits: [60] });
  await Deno.remove(dataDir);
});

Deno.test("a run that gets no space ends with the reason, and other failures end it immediately", async () => {
  const dataDir = await Deno.makeTempDir();
  const fail = (waitMs: number, error: Error) =>
    whenSpace(machineAt(dataDir, waitMs), never, () => Promise.reject(error), async () => {});
  await assert.rejects(fail(50, noSpace()), { key: "errors.run.disk_full" });
  await assert.rejects(fail(60_000, new Error("damaged")), /damaged/);
  await Deno.remove(dataDir);
});

Deno.test("a stop ends a run that waits for space", async () => {
  const dataDir = await Deno.makeTempDir();
  const stop = new AbortController();
  const waiting = whenSpace(machineAt(dataDir, 60_000), stop.signal, () => {
    setTimeout(() => stop.abort(), 50);
    return Promise.reject(noSpace());
  }, async () => {});
  await assert.rejects(waiting, { name: "AbortError" });
  await Deno.remove(dataDir);
});

Deno.test("a full disk is known by the errors of the system and of programs", () => {
  const git = new AppError(422, "errors.run.git_failed", { said: "see the output" });
  git.cause = "error: unable to write file a.yml: No space left on device\nfatal: failed";
  const cases: [unknown, boolean][] = [
    [noSpace(), true],
    [new Error("other", { cause: noSpace() }), true],
    [new Error("tar: a: Cannot write: Disk quota exceeded"), true],
    [git, true],
    [
      new AppError(422, "errors.run.git_failed", { said: "remote: No space left on device" }),
      false,
    ],
    [new AppError(422, "errors.sources.refused", { said: "no space left on device" }), false],
    [new Error("damaged"), false],
    [null, false],
  ];
  for (const [error, isFull] of cases) assert.equal(isDiskFull(error), isFull, String(error));
});
