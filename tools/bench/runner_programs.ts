import { join } from "node:path";
import { conceal } from "../../lib/base/secret.ts";
import { noIsolation } from "../../lib/execution/process/isolation.ts";
import { runEnvironment } from "../../lib/execution/run/environment.ts";
import { openStore } from "../../lib/store/file/open_store.ts";
import { startProgram } from "../../lib/runner/program/program.ts";
import { newRunnerKeys } from "../../lib/runner/seal.ts";
import { newRunner } from "../../lib/runners/new_runner.ts";
import { putRunner } from "../../lib/runners/repository.ts";
import { newRunnerToken } from "../../lib/runners/tokens.ts";

const FACTS = {
  version: "bench",
  platform: "linux/x64",
  ansible: "ansible-playbook [core 2.19.14]",
  isolation: "none",
  slots: 1,
  abilities: [],
};

/** A registered runner, as its program knows itself. */
export interface RunnerKeys {
  runnerId: number;
  token: string;
  privateKey: JsonWebKey;
}

/** Registers runners in a store that no server has open yet, or that servers share. */
export async function addRunners(path: string, count: number): Promise<RunnerKeys[]> {
  const kv = await openStore(path);
  const created = new Date().toISOString();
  const placement = { project_id: null, project_ids: [], labels: [], max_parallel_tasks: 0 };
  const added = await Promise.all(Array.from({ length: count }, async (_, n) => {
    const runnerId = n + 1;
    const { publicKey: public_key, privateKey } = await newRunnerKeys();
    const { text: token, hash: token_hash } = newRunnerToken("runner", runnerId);
    const row = newRunner(runnerId, { name: `r${n}`, description: "", ...placement }, created);
    const op = kv.atomic();
    putRunner(op, { ...row, public_key, token_hash, facts: FACTS, registered: created });
    await op.commit();
    return { runnerId, token, privateKey };
  }));
  kv.close();
  return added;
}

/** Starts the programs of runners in this process. Returns a function that ends them. */
export function startRunners(
  servers: { url: string }[],
  runners: RunnerKeys[],
  home: string,
) {
  const programs = runners.map(({ runnerId, token, privateKey }, n) =>
    startProgram({
      environment: {
        ...runEnvironment(
          {
            dataDir: join(home, `runner-${runnerId}`),
            stopGraceMs: 2_000,
            taskTimeLimitMs: 0,
            fullDiskMs: 600_000,
          },
          noIsolation,
          Deno.env,
        ),
        ansible: { playbook: join(home, "bin", "ansible-playbook"), galaxy: "/bin/false" },
      },
      target: {
        server: servers[n % servers.length].url.replace(/\/$/, ""),
        token: conceal(token),
        caCerts: [],
      },
      runnerId,
      privateKey,
      log() {},
      facts: FACTS,
      tokens: { issued: Date.now(), keep: () => Promise.resolve() },
      once: false,
      drainMs: 1_000,
      onStatus() {},
    })
  );
  return async () => {
    programs.forEach((program) => program.drain());
    await Promise.all(programs.map(({ ended }) => ended));
  };
}
