import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "@/tests/support/basics/walk.ts";
import { until } from "@/tests/support/basics/until.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";

const ADDRESS = /^Callboard \S+ is at http:\/\/127\.0\.0\.1:\d+\/ as process (\d+)\.$/;

/** Starts Callboard at a terminal, and returns the lines that are there once it serves. */
async function linesAtTerminal(dataDir: string, ansibleDir: string): Promise<string[]> {
  const child = new Deno.Command("script", {
    args: ["-qec", `"${Deno.execPath()}" task start`, "/dev/null"],
    cwd: ROOT,
    env: {
      CALLBOARD_DATA: dataDir,
      CALLBOARD_PORT: "0",
      CALLBOARD_DRAIN_SECONDS: "0",
      NO_COLOR: "1",
      PATH: `${ansibleDir}:${Deno.env.get("PATH")}`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  let isOver = false;
  const decoder = new TextDecoder();
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const over = Promise.all([read(child.stdout), read(child.stderr), child.status])
    .then(() => isOver = true);
  const lines = () => output.split("\r\n").filter((line) => line !== "");
  await until(() => isOver || lines().some((line) => ADDRESS.test(line)), 300_000);
  const shown = lines();
  const [, pid] = shown.map((line) => ADDRESS.exec(line)).find((found) => found !== null) ?? [];
  assert.ok(pid, output);
  Deno.kill(Number(pid), "SIGTERM");
  await over;
  return shown;
}

Deno.test("a start at a terminal prints the address, and once the first administrator", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_terminal_" });
  try {
    const ansible = await installStandIn(join(home, "bin"));
    const start = () => linesAtTerminal(join(home, "data"), ansible);
    const first = await start();
    assert.equal(first[0], "Task start deno task --quiet serve");
    const password = first.filter((line) => line.startsWith("Its password"));
    assert.match(password.join("\n"), /^Its password, which is not shown again: \w{20}$/);
    const at = first.indexOf(password[0]!);
    assert.equal(first[at - 1], 'The first administrator is "admin".');
    assert.match(first[at + 1]!, ADDRESS);
    const again = await start();
    assert.doesNotMatch(again.join("\n"), /administrator|password/);
    for (const line of [...first, ...again]) {
      assert.doesNotMatch(line, /deno run|^\{|^\d{4}-\d\d-/, "neither commands nor a log");
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
