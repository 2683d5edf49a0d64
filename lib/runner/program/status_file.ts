import { join } from "node:path";
import * as z from "zod";
import type { ProgramEnd, ProgramStatus } from "./program.ts";

const FILE = "status.json";
/** Shortest time between two writes. */
const EVERY_MS = 1_000;

const statusSchema = z.object({
  pid: z.int(),
  contact: z.number().nullable(),
  problem: z.string().nullable(),
  tasks: z.array(z.int()),
  /** Programs for toolchains. */
  tools: z.array(z.string()).default([]),
  /** Reason why the process ended; null while it runs, and if it was killed. */
  end: z.enum(["finished", "revoked", "replaced"]).nullable().default(null),
});
type StoredStatus = z.output<typeof statusSchema>;

const pathIn = (dataDir: string) => join(dataDir, FILE);

/** Writes what `status` shows, for other processes on this machine. */
export function createStatusFile(dataDir: string, tools: string[]) {
  let latest: StoredStatus = {
    pid: Deno.pid,
    contact: null,
    problem: null,
    tasks: [],
    tools,
    end: null,
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function write() {
    timer = undefined;
    await Deno.writeTextFile(pathIn(dataDir), JSON.stringify(latest), { mode: 0o600 });
  }
  return {
    write({ contact, problem, runs }: ProgramStatus) {
      latest = { ...latest, contact, problem, tasks: runs.map(({ task_id }) => task_id) };
      timer ??= setTimeout(() => write().catch(() => {}), EVERY_MS);
    },
    async close(end: ProgramEnd) {
      clearTimeout(timer);
      latest = { ...latest, tasks: [], end };
      await write().catch(() => {});
    },
  };
}

/** Reads the status of the latest process in a folder; null if there was none. */
export async function readStatusFile(dataDir: string): Promise<StoredStatus | null> {
  try {
    const text = await Deno.readTextFile(pathIn(dataDir));
    return statusSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Removes the status, which is about an earlier registration. */
export const removeStatusFile = (dataDir: string): Promise<void> =>
  Deno.remove(pathIn(dataDir)).catch(() => {});
