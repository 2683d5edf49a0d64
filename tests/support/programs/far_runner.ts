import assert from "node:assert/strict";
import { join } from "node:path";
import { RECAP_COUNTS } from "@/lib/execution/run/events.ts";
import { type BadLink, openBadLink } from "@/tests/support/services/bad_link.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { startNginx } from "./nginx.ts";
import { outputRecap } from "./output_recap.ts";
import { findRealAnsible } from "./real_ansible.ts";
import { addInventory, addPlays } from "./real_plays.ts";
import { newRealProject, type RealProject } from "./real_project.ts";
import { runRunner, spawnRunner } from "@/tests/support/server/real_runner.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";

interface FarRunnerOptions {
  /** Files of the repository, or its `site.yml`. */
  plays?: string | Record<string, string>;
  /** Whether the runner has the machine's Ansible. Otherwise it has the stand-in. */
  real?: boolean;
  /** By default this machine. */
  inventory?: string;
  /** Whether nginx ends TLS in front of the server, with a certificate of a private authority. */
  tls?: boolean;
}

/** A project on a real server with a template for a runner, which reaches it over a bad link. */
export interface FarRunner extends AsyncDisposable {
  project: RealProject;
  link: BadLink;
  templateId: number;
  /** The runner's folder. */
  dataDir: string;
  /** The runner's current process. */
  readonly runner: ReturnType<typeof spawnRunner>;
  /** Starts the runner again after its process has ended. */
  startRunner(): void;
  repositoryId: number;
  /** Returns the output of Ansible on the runner for its latest task. */
  printed(): Promise<string>;
  /** The latest process of Ansible on the runner, and when it began; null before the first. */
  begun(): Promise<{ pid: number; at: number } | null>;
}

/** Markers in the output, which are not stored. */
// deno-lint-ignore no-control-regex -- Markers consist of control characters.
const MARKS = /[\x01-\x06\x0e-\x17]/g;
const PLAY = "- hosts: all\n  tasks: []\n";

/** Starts a server with a project, and a runner that has registered over the link. */
export async function newFarRunner(options: FarRunnerOptions = {}): Promise<FarRunner> {
  const { plays = PLAY, real = false, inventory, tls = false } = options;
  await using cleanup = new AsyncDisposableStack();
  const serverPort = freePort();
  const project = cleanup.use(
    await newRealProject({
      ansible: (home) => installStandIn(join(home, "bin")),
      // The runner finds the server again after a restart.
      env: {
        CALLBOARD_PORT: String(serverPort),
        CALLBOARD_STOP_GRACE_SECONDS: "1",
      },
    }),
  );
  const front = tls ? cleanup.use(await startFront(serverPort)) : null;
  const frontPort = front ? Number(new URL(front.urls.tls).port) : serverPort;
  const link = cleanup.use(openBadLink(frontPort));
  const { home } = project;
  const { repository_id } = await addPlays(project, plays);
  const created = await project.server.api("POST", `/api/project/${project.id}/runners`, {
    name: "far",
    tags: ["far"],
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const templateId = await project.makeTemplate({
    repository_id,
    runner_tag: "far",
    allow_parallel_tasks: true,
    ...inventory && { inventory_id: await addInventory(project, inventory) },
  });
  const printedFile = join(home, "printed");
  const runnerOptions = {
    dataDir: join(home, "runner"),
    ansibleDir: await installWitness(home, printedFile, real),
    env: {
      CALLBOARD_STOP_GRACE_SECONDS: "1",
      CALLBOARD_TASK_ISOLATION: "none",
      ...front && { SSL_CERT_FILE: front.authority },
    },
  };
  const url = `${tls ? "https" : "http"}://127.0.0.1:${link.port}`;
  const env = { ...runnerOptions.env, CALLBOARD_RUNNER_TOKEN: created.body.registration_token };
  const registered = await runRunner({ ...runnerOptions, env }, "register", url);
  assert.equal(registered.code, 0, registered.said);
  const start = () => spawnRunner(runnerOptions, "start");
  let runner = start();
  cleanup.defer(async () => {
    try {
      runner.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await runner.code;
  });
  await runner.says("waits for tasks of");
  const owned = cleanup.move();
  return {
    project,
    link,
    templateId,
    dataDir: runnerOptions.dataDir,
    get runner() {
      return runner;
    },
    startRunner() {
      runner = start();
    },
    repositoryId: repository_id,
    printed: async () => (await Deno.readTextFile(printedFile)).replaceAll(MARKS, ""),
    async begun() {
      const text = await Deno.readTextFile(`${printedFile}.begun`).catch(() => "");
      const [pid, seconds] = text.split(" ").map(Number);
      return seconds ? { pid, at: seconds * 1000 } : null;
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

const startFront = (port: number) =>
  startNginx({ tls: `location / { proxy_pass http://127.0.0.1:${port}; }` });

/** Creates a folder with an Ansible that also prints into a file. */
async function installWitness(home: string, file: string, real: boolean): Promise<string> {
  const directory = await installStandIn(join(home, "bin_of_runner"));
  const playbook = join(directory, "ansible-playbook");
  const standIn = join(directory, "stand-in");
  await Deno.rename(playbook, standIn);
  const inner = real ? (await findRealAnsible()).playbook : standIn;
  const script = `#!/bin/bash
[ "$1" != --version ] || exec ${inner} "$@"
echo "$$ $EPOCHREALTIME" >${file}.begun
set -o pipefail
${inner} "$@" 2>&1 | tee ${file}
`;
  await Deno.writeTextFile(playbook, script, { mode: 0o755 });
  return directory;
}

/** Lines that the server writes in front of what Ansible prints. */
const HEAD = /^Updating repository .*\nChecked out .*\nRunning the playbook site\.yml\n/;

/**
 * Waits for the end of a task, and requires that the server has everything that Ansible has printed
 * on the runner, and the same counts of each host.
 */
export async function requireComplete(
  far: FarRunner,
  id: number,
  limitMs?: number,
): Promise<void> {
  const { task, log } = await far.project.ended(id, limitMs);
  assert.equal(task.status, "success", log.slice(-2_000) + far.runner.output());
  assert.match(log, HEAD);
  assert.ok(log.replace(HEAD, "") === await far.printed(), "the stored output differs");
  const hosts = await far.project.get(`tasks/${id}/hosts`);
  const stored = new Map(
    hosts.map((host: Record<string, unknown>) => [
      host.name,
      Object.fromEntries(RECAP_COUNTS.map((name) => [name, host[name]])),
    ]),
  );
  assert.deepEqual(stored, outputRecap(log));
}

/** Returns the input of a task whose stand-in prints so many lines. */
export const standIn = (lines: number, sleepMs = 0) => ({
  environment: JSON.stringify({
    callboard_stand_in_lines: String(lines),
    callboard_stand_in_sleep_ms: String(sleepMs),
  }),
});
