import assert from "node:assert/strict";
import denoJson from "@/deno.json" with { type: "json" };
import { giveKnownAnsible } from "./known_ansible.ts";
import type { RealProject } from "@/tests/support/programs/real_project.ts";
import { until } from "@/tests/support/basics/until.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

interface RealRunnerOptions {
  /** The runner's folder. */
  dataDir: string;
  /** A folder with `ansible-playbook` and `ansible-galaxy`: see `installStandIn`. */
  ansibleDir?: string;
  env?: Record<string, string>;
}

/** Starts a command of a runner in a process of its own, as `deno task runner` does. */
export function spawnRunner(
  { dataDir, ansibleDir, env = {} }: RealRunnerOptions,
  ...args: string[]
) {
  const path = Deno.env.get("PATH")!;
  const command = denoJson.tasks.runner.command.replace(/\bdeno run /, 'exec "$DENO" run ');
  const child = new Deno.Command("sh", {
    args: ["-c", `${command} "$@"`, "sh", ...args],
    cwd: ROOT,
    clearEnv: true,
    env: {
      DENO: Deno.execPath(),
      HOME: Deno.env.get("HOME") ?? "/",
      PATH: ansibleDir ? `${ansibleDir}:${path}` : path,
      // Deno would ask for its latest version.
      DENO_NO_UPDATE_CHECK: "1",
      CALLBOARD_RUNNER_DATA: dataDir,
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({ write: (text) => void (said += text) }),
    );
  }
  return {
    pid: child.pid,
    output: () => said,
    says: (text: string | RegExp) => until(() => said.search(text) !== -1),
    kill: (signal: Deno.Signal) => child.kill(signal),
    code: child.status.then(({ code }) => code),
  };
}

/** Runs a command of a runner to its end. */
export async function runRunner(options: RealRunnerOptions, ...args: string[]) {
  const runner = spawnRunner(options, ...args);
  return { code: await runner.code, said: runner.output() };
}

/** Registers a runner of the project's server with one label, and starts it. */
export async function startRunnerOf({ server, home }: RealProject, tag: string, env = {}) {
  const created = await server.api("POST", "/api/runners", { name: tag, tags: [tag] });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const dataDir = `${home}/runner`;
  const token = { CALLBOARD_RUNNER_TOKEN: created.body.registration_token };
  const registered = await runRunner({ dataDir, env: token }, "register", server.url);
  assert.equal(registered.code, 0, registered.said);
  await giveKnownAnsible(dataDir);
  const runner = spawnRunner({ dataDir, env }, "start");
  return {
    dataDir,
    pid: runner.pid,
    async [Symbol.asyncDispose]() {
      runner.kill("SIGTERM");
      await runner.code;
    },
  };
}
