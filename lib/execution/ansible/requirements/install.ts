import { join } from "node:path";
import { refusingHost } from "../../git/refusal.ts";
import { removeTree } from "../../process/files.ts";
import { createPrivateDir } from "../../process/isolation.ts";
import { runProcess } from "../../process/supervise.ts";
import type { Variables } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import { requirementText } from "./entries.ts";
import type { RequiredFile } from "./read.ts";

/** Installs what files ask for into a new folder. */
export async function install(
  machine: RunContext,
  context: RunContext,
  files: RequiredFile[],
  { cwd, env, fresh, round }: { cwd: string; env: Variables; fresh: string; round: number },
): Promise<void> {
  await removeTree(fresh);
  const [roles, collections] = [join(fresh, "roles"), join(fresh, "collections")];
  for (const path of [fresh, roles, collections]) {
    await createPrivateDir(machine.env.isolation, path);
  }
  const paths = { ANSIBLE_ROLES_PATH: roles, ANSIBLE_COLLECTIONS_PATH: collections };
  for (const [n, file] of files.entries()) {
    const path = await machine.directory.write(
      `requirements_${round}_${n}.yml`,
      requirementText(file.entries),
    );
    await installFile(context, file, { path, cwd, env: { ...env, ...paths } });
  }
}

async function installFile(
  { env: { ansible, timeLimits }, supervision, say, pipe }: RunContext,
  { kind, file }: RequiredFile,
  { path, cwd, env }: { path: string; cwd: string; env: Variables },
): Promise<void> {
  await say(`Installing the requirements of ${file}`);
  // Without the kind, ansible-galaxy installs roles and collections.
  const what = { collections: ["collection"], roles: ["role"], both: [] }[kind];
  const output = pipe();
  let said = "";
  const { exitCode, limitReached } = await runProcess(
    {
      command: [ansible.galaxy, ...what, "install", "-r", path, "--force"],
      cwd,
      env,
      limitMs: timeLimits.galaxyMs,
    },
    supervision,
    (chunk) => {
      said = (said + new TextDecoder().decode(chunk)).slice(-SAID_MAX);
      return output.write(chunk);
    },
  );
  await output.end();
  supervision.stop.throwIfAborted();
  const seconds = Math.round(timeLimits.galaxyMs / 1000);
  if (limitReached) throw runError("errors.run.galaxy_time_limit", { file, seconds });
  if (exitCode === 127) throw runError("errors.run.ansible_missing", { command: ansible.galaxy });
  if (exitCode === 0) return;
  // Ansible wraps lines.
  const host = refusingHost(said.replace(/\s+/g, " "));
  if (host) throw runError("errors.run.requirement_credentials", { host });
  throw runError("errors.run.galaxy_failed", { file });
}

/** Characters at the end of the output in which a host that refused git is looked for. */
const SAID_MAX = 16 * 1024;
