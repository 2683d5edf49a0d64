import { join } from "node:path";
import * as z from "zod";
import type { ProgramStatus } from "./program.ts";

const FILE = "status.json";
/** Shortest time between two writes. */
const EVERY_MS = 1_000;

const statusSchema = z.object({
  pid: z.int(),
  contact: z.number().nullable(),
  problem: z.string().nullable(),
  tasks: z.array(z.int()),
});
type StoredStatus = z.output<typeof statusSchema>;

/** Writes what `status` shows, for other processes on this machine. */
export function createStatusFile(dataDir: string) {
  const path = join(dataDir, FILE);
  let latest: StoredStatus | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function write() {
    timer = undefined;
    Deno.writeTextFile(path, JSON.stringify(latest), { mode: 0o600 }).catch(() => {});
  }
  return {
    write({ contact, problem, runs }: ProgramStatus) {
      latest = { pid: Deno.pid, contact, problem, tasks: runs.map(({ task_id }) => task_id) };
      timer ??= setTimeout(write, EVERY_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** Reads the status of the process that runs in a folder; null if there is none. */
export async function readStatusFile(dataDir: string): Promise<StoredStatus | null> {
  try {
    const text = await Deno.readTextFile(join(dataDir, FILE));
    return statusSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
