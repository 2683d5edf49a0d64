import assert from "node:assert/strict";
import { join } from "node:path";
import { peakMemory } from "@/tests/support/basics/processes.ts";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";
import type { RealServer } from "@/tests/support/server/real_server.ts";

const MEGABYTE = 1024 * 1024;
const LONG_LINE_BYTES = 10_000_000;
const LINES = 100_000;

/** Its output depends on the "playbook", which is a shell script. */
const ANSIBLE = `#!/bin/sh
[ "$1" != --version ] || { echo "ansible-playbook [core 2.19.14]"; exit; }
while [ "$1" != -- ]; do shift; done
exec sh "$2"
`;

async function installShell(home: string): Promise<string> {
  const bin = join(home, "bin");
  await Deno.mkdir(bin);
  for (const name of ["ansible-playbook", "ansible-galaxy"]) {
    await Deno.writeTextFile(join(bin, name), ANSIBLE, { mode: 0o755 });
  }
  return bin;
}

/** Creates a template whose run prints the output of `script`. */
async function newTemplate(project: RealProject, name: string, script: string): Promise<number> {
  const folder = join(project.home, name);
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "site.yml"), script);
  const git_url = folder;
  const ssh_key_id = project.noKey;
  const repository_id = await project.make("repositories", { name, git_url, ssh_key_id });
  return await project.makeTemplate({ name, repository_id });
}

/** Returns the lines that the run itself printed. */
async function linesOf(project: RealProject, template: number): Promise<string[]> {
  const { task, log } = await project.run(template);
  assert.equal(task.status, "success", log.slice(-2000));
  const lines = log.split("\n");
  return lines.slice(lines.indexOf("Running the playbook site.yml") + 1, -1);
}

/** Pings the server again and again. Returns the times of its answers, shortest first. */
async function pingWhile(server: RealServer, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let working = true;
  const pinging = (async () => {
    while (working) {
      const startedAt = performance.now();
      const response = await fetch(new URL("/api/ping", server.url));
      assert.equal(await response.text(), "pong");
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await work().finally(() => working = false);
  await pinging;
  return times.sort((a, b) => a - b);
}

Deno.test("whatever a run prints is stored, and the server stays quick and small", async (t) => {
  await using project = await newRealProject({ ansible: installShell });
  const { server } = project;

  await t.step(
    "a line of 10 MB is stored in parts and read as one, nothing of it lost",
    async () => {
      const template = await newTemplate(
        project,
        "long",
        `printf begin; head -c ${LONG_LINE_BYTES} /dev/zero | tr '\\0' x; echo end; echo after`,
      );
      let lines: string[] = [];
      const pings = await pingWhile(server, async () => lines = await linesOf(project, template));
      const [text, ...others] = lines;
      assert.equal(text.length, LONG_LINE_BYTES + "beginend".length);
      assert.match(text, /^beginx+end$/);
      assert.deepEqual(others, ["after"]);
      requireQuick(pings);
    },
  );

  await t.step("100,000 lines come in their order", async () => {
    const template = await newTemplate(
      project,
      "many",
      `awk 'BEGIN { for (n = 1; n <= ${LINES}; n++) print "ok: [host] => (item=" n ")" }'`,
    );
    let lines: string[] = [];
    const pings = await pingWhile(server, async () => lines = await linesOf(project, template));
    assert.equal(lines.length, LINES);
    assert.ok(lines.every((line, n) => line === `ok: [host] => (item=${n + 1})`));
    requireQuick(pings);
  });

  await t.step("colors, progress bars and bytes that are not UTF-8 do no harm", async () => {
    const template = await newTemplate(
      project,
      "odd",
      String.raw`printf '\033[0;32mok\033[0m\n10%%\r50%%\r100%%\ndos\r\n'
printf 'caf\303\251 \360\237\245\221 \377\376 \303(\n\000zero\n'
printf 'no end of line'`,
    );
    assert.deepEqual(await linesOf(project, template), [
      "\x1b[0;32mok\x1b[0m",
      "10%\r50%\r100%",
      "dos",
      "café 🥑 \ufffd\ufffd \ufffd(",
      "\0zero",
      "no end of line",
    ]);
  });

  const peak = peakMemory(server.pid);
  assert.ok(peak < 450 * MEGABYTE, `${Math.round(peak / MEGABYTE)} MB`);
});

/**
 * Other tests may keep the machine busy, so one slow answer does not mean that the server hangs.
 */
function requireQuick(times: number[]) {
  const middle = times[Math.floor(times.length / 2)];
  const slowest = times.at(-1)!;
  assert.ok(middle < 250 && slowest < 5_000, `ping: ${middle} ms, at most ${slowest} ms`);
}

Deno.test("a play whose output reaches the limit continues to its end", async () => {
  await using project = await newRealProject({
    ansible: installShell,
    env: { CALLBOARD_TASK_OUTPUT_MB: "1" },
  });
  const script = `i=0; while [ $i -lt 30000 ]; do echo "line $i of thirty thousand and more"; ` +
    `i=$((i+1)); done; touch ended; exit 2`;
  const template = await newTemplate(project, "limit", script);
  const { task, log } = await project.run(template);
  assert.ok((await Deno.stat(join(project.home, "limit", "ended"))).isFile);
  assert.deepEqual([task.status, task.output_cut], ["error", true]);
  assert.ok(log.length > MEGABYTE - 100 && log.length < MEGABYTE + 500, String(log.length));
  const [cut, reason] = log.trimEnd().split("\n").slice(-2);
  assert.equal(cut, "The output reached 1 MB, the limit for a task. The rest is not stored.");
  assert.match(reason, /^Ansible ended|^The playbook/);
});
