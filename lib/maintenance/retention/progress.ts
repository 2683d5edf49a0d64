import type { Deps } from "../../access/deps.ts";
import type { AdminScope } from "../../access/scope.ts";
import { memoryPart } from "../../store/memory.ts";

/** Removal of old tasks by this server: the one in progress, or the last one. */
export interface Removal {
  /** Name of the project whose limits are applied; null after the end. */
  project: string | null;
  /** Number of removed tasks of all projects. */
  tasks: number;
  /** Time of the latest progress, in ISO 8601. */
  at: string;
}

const removal = memoryPart(
  "removal of tasks",
  (): { latest: Removal | null } => ({ latest: null }),
);

/** Notes progress for `readRemoval`. */
export const noteRemoval = (
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  progress: Omit<Removal, "at">,
): void => void (removal.of(kv).latest = { ...progress, at: clock.now().toISOString() });

/** Returns what retention does on this server; null if it has removed nothing since its start. */
export const readRemoval = ({ deps: { kv } }: AdminScope): Removal | null => removal.of(kv).latest;
