import type { OpenTask } from "../open_tasks.ts";

/** The runner and the process of it that hold a task's lease. */
interface RunnerOwner {
  runnerId: number;
  session: string;
}

/** Returns the owner of leases that a runner's process holds. */
export const ownerName = ({ runnerId, session }: RunnerOwner): string =>
  `runner:${runnerId}:${session}`;

/** Returns the runner that holds the lease of a task; null if a server holds it, or no one. */
export function runnerOwner({ lease }: Pick<OpenTask, "lease">): RunnerOwner | null {
  const [, runnerId, session] = /^runner:(\d+):(.+)$/.exec(lease?.owner ?? "") ?? [];
  return session === undefined ? null : { runnerId: Number(runnerId), session };
}
