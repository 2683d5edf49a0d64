import { join } from "node:path";
import { inLimit } from "../../base/abort.ts";
import type { Config } from "../../base/config.ts";
import { explain } from "../../base/data_folder.ts";
import { AppError } from "../../base/errors.ts";
import { tryIsolation } from "../../execution/process/prepare_isolation.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { tryOut } from "../../execution/process/trial.ts";
import { inTime as inStoreTime } from "../../kv/in_time.ts";
import { rowKeys } from "../../kv/keys.ts";

/** What is wrong around the server, each in a sentence's part; null where nothing is. */
interface MachineState {
  /** Whether the store takes nothing more, though it may still be read. */
  storeFull: boolean;
  /** Why the data folder takes no files. */
  disk: string | null;
  /** Why the Ansible that was found at the start cannot be run any more. */
  ansible: string | null;
  /** Why tasks are not kept in as the settings ask for. */
  isolation: string | null;
}

/** Looks at the machine, but not again within some seconds, however often it is asked. */
export type Machine = () => Promise<MachineState>;

const FRESH_MS = 5_000;
/** A disk that hangs must not hold up who asks. */
const ANSWER_MS_MAX = 3_000;
const PROBE = "disk_probe";
const PROBE_BYTES = 64 * 1024;

/** Whether the command is there, and the Python that its first line names. */
const RUNNABLE = `[ -f "$1" ] && [ -x "$1" ] || exit 1
read -r line <"$1" 2>/dev/null
case $line in '#!'/*) line=\${line#??} && [ -x "\${line%% *}" ] || exit 1 ;; esac`;

export function createMachine(
  environment: RunEnvironment,
  config: Pick<Config, "kv">,
  kv: Deno.Kv,
): Machine {
  let lookedAt = -Infinity;
  let state: Promise<MachineState> | null = null;
  const look = async (): Promise<MachineState> => {
    const [storeFull, disk, ansible, isolation] = await Promise.all([
      isFull(kv),
      inTime(tryDisk(environment.dataDir)),
      inTime(tryAnsible(environment)),
      inTime(tryIsolation(environment, config.kv)),
    ]);
    return { storeFull, disk, ansible, isolation };
  };
  return () => {
    if (state === null || performance.now() - lookedAt > FRESH_MS) {
      lookedAt = performance.now();
      state = look();
    }
    return state;
  };
}

/** What `trial` finds; what goes wrong with it, or takes too long, is a finding as well. */
const inTime = (trial: Promise<string | null>): Promise<string | null> =>
  inLimit(trial, ANSWER_MS_MAX, () => new Error("it does not answer")).catch(explain);

/** A store that does not answer at all is told by who reads it. */
async function isFull(kv: Deno.Kv): Promise<boolean> {
  const written = kv.set(rowKeys.probe(), Date.now());
  return await inStoreTime(written).then(
    () => false,
    (error) => error instanceof AppError && error.key === "errors.store_full",
  );
}

async function tryDisk(dataDir: string): Promise<null> {
  const probe = join(dataDir, PROBE);
  try {
    await Deno.writeFile(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600 });
  } finally {
    await Deno.remove(probe).catch(() => {});
  }
  return null;
}

async function tryAnsible(environment: RunEnvironment): Promise<string | null> {
  const { playbook } = environment.ansible;
  const { works } = await tryOut(environment, ["sh", "-c", RUNNABLE, "sh", playbook]);
  return works ? null : `${playbook} is gone, or the Python that runs it`;
}
