import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const inTree = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Runs a program in another process, with its standard error to `stderr`. Returns its output. */
async function run(program: string, stderr = "&1"): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, program);
    const line = 'exec "$0" run --no-config --quiet -A "$1" 2>' + stderr;
    const command = new Deno.Command("bash", { args: ["-c", line, Deno.execPath(), path] });
    const { success, stdout } = await command.output();
    assert.ok(success, new TextDecoder().decode(stdout));
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("a process survives errors that no code handles, and logs and counts them", async () => {
  const output = await run(`
    import { connect } from "node:net";
    import { stderrLog } from "${inTree("lib/base/log.ts")}";
    import { surviveUnhandled } from "${inTree("lib/base/unhandled.ts")}";
    const tally = surviveUnhandled(stderrLog, () => performance.now());
    Promise.reject(new Error("a promise"));
    setTimeout(() => { throw new Error("a timer"); });
    queueMicrotask(() => { throw new Error("a task"); });
    connect(1, "127.0.0.1");
    setTimeout(() => console.log("alive after", tally.recent()), 300);
  `);
  for (const error of ["a promise", "a timer", "a task", "ECONNREFUSED"]) {
    const line = output.split("\n").find((one) => one.includes(error)) ?? "";
    assert.equal(JSON.parse(line).event, "unexpected", output);
    assert.match(JSON.parse(line).stack, /Error/);
  }
  assert.match(output, /alive after 4/);
});

for (const [name, stderr] of [["on a full disk", "/dev/full"], ["without a reader", " >(exit)"]]) {
  Deno.test(`a log ${name} loses lines, but ends nothing`, async () => {
    const output = await run(
      `
      import { lostLines, stderrLog } from "${inTree("lib/base/log.ts")}";
      await new Promise((done) => setTimeout(done, 500));
      for (let n = 0; n < 3; n++) stderrLog("info", "line");
      console.log("lost", lostLines.recent());
    `,
      stderr,
    );
    assert.match(output, /lost 3/);
  });
}
