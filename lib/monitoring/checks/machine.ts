import { inLimit } from "../../base/time/abort.ts";
import type { Config } from "../../base/settings/config.ts";
import { lostLines } from "../../base/log.ts";
import type { Tally } from "../../base/tally.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { tryDisk } from "../../base/machine/disk_space.ts";
import { tryIsolation } from "../../execution/process/prepare_isolation.ts";
import type { BackupState } from "../../maintenance/server_backup/backup_report.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { tryCommand } from "../../execution/process/try_command.ts";
import { inTime as inStoreTime } from "../../base/time/in_time.ts";
import { rowKeys } from "../../store/keys.ts";
import { type StillLoop, stillLoops } from "../../store/loop_watch.ts";
import { isStoreFull } from "../../store/file/patience.ts";
import type { Store } from "../../store/store.ts";

/** Problems of the machine, each as a part of a sentence; null if there is none. */
export interface MachineState {
  /** Whether the store accepts no writes, though it may still be readable. */
  storeFull: boolean;
  /** Reason why the data folder cannot be written to. */
  disk: string | null;
  /** Reason why the Ansible found at the start cannot be executed any more. */
  ansible: string | null;
  /** Reason why tasks are not sandboxed as configured. */
  isolation: string | null;
  backups: BackupState;
  /** Number of errors that no code handled, and of lines that the log lost, in recent times. */
  unexpected: number;
  lostLines: number;
  /** Reason why the server's certificate is not that of its files. */
  certificate: string | null;
  /** Background loops that stand still, the longest first. */
  stillLoops: StillLoop[];
}

/** Checks the machine, but at most once within some seconds. */
export type Machine = () => Promise<MachineState>;

const FRESH_MS = 5_000;
/** A disk that does not respond must not block the caller. */
const ANSWER_MS_MAX = 3_000;

/** Checks that the command exists, and the Python that its first line names. */
const RUNNABLE = `[ -f "$1" ] && [ -x "$1" ] || exit 1
read -r line <"$1" 2>/dev/null
case $line in '#!'/*) line=\${line#??} && [ -x "\${line%% *}" ] || exit 1 ;; esac`;

export function createMachine(
  environment: RunEnvironment,
  config: Pick<Config, "kv" | "namedPaths">,
  kv: Store,
  { readBackups, unexpected, certificate }: {
    readBackups: () => Promise<BackupState>;
    unexpected: Tally;
    certificate: () => string | null;
  },
): Machine {
  const ofProcess = () => ({
    unexpected: unexpected.recent(),
    lostLines: lostLines.recent(),
    certificate: certificate(),
    stillLoops: stillLoops(kv),
  });
  let lookedAt = -Infinity;
  let state: Promise<MachineState> | null = null;
  const readMachine = async (): Promise<MachineState> => {
    const [storeFull, disk, ansible, isolation, backups] = await Promise.all([
      isFull(kv),
      inTime(tryDisk(environment.dataDir)),
      inTime(tryAnsible(environment)),
      inTime(tryIsolation(environment, config)),
      // A folder that cannot be read or does not respond takes no backups either.
      inLimit(readBackups(), ANSWER_MS_MAX, () => new Error("slow folder"))
        .catch(() => ({ overdue: true, left: 0, failed: null })),
    ]);
    return { storeFull, disk, ansible, isolation, backups, ...ofProcess() };
  };
  return () => {
    if (state === null || performance.now() - lookedAt > FRESH_MS) {
      lookedAt = performance.now();
      state = readMachine();
    }
    return state;
  };
}

/** Returns the problem that `check` finds. A failed or slow check is a problem as well. */
const inTime = (check: Promise<string | null>): Promise<string | null> =>
  inLimit(check, ANSWER_MS_MAX, () => new Error("it does not answer")).catch(explain);

/** Whether the store accepts no writes. Its readers report a store that does not respond at all. */
async function isFull(kv: Store): Promise<boolean> {
  const written = kv.set(rowKeys.probe(), Date.now());
  return await inStoreTime(written).then(
    () => false,
    isStoreFull,
  );
}

async function tryAnsible(environment: RunEnvironment): Promise<string | null> {
  const { playbook } = environment.ansible;
  const { works } = await tryCommand(environment, ["sh", "-c", RUNNABLE, "sh", playbook]);
  return works ? null : `${playbook} is gone, or the Python that runs it`;
}
