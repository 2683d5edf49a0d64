import type { Secret } from "../../base/secret.ts";

/** A secret storage as a plan has it. */
export interface PlanStorage {
  /** 0 for what needs no row: files, variables and the command of whatever executes the run. */
  id: number;
  name: string;
  kind: string;
  params: Readonly<Record<string, string>>;
  /** The credential; null for none. */
  secret: Secret | null;
  /** The identity of the task, for kinds that sign in with it. */
  identity?: Secret;
  /** Whether its address may be in a private network of the server. */
  allowPrivate: boolean;
  /** How long a run waits for it while it is unavailable, in milliseconds. */
  waitMs: number;
}
