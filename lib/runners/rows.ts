import type { RunnerFacts } from "../runner/protocol.ts";
import type { RunnerState } from "./schema.ts";

/** A token is stored as its hash only. */
export interface RunnerRow {
  id: number;
  name: string;
  description: string;
  /** The project whose managers own it; null for a runner that an admin created for the server. */
  project_id: number | null;
  /** Projects that a runner of the server is for. Empty means all projects. */
  project_ids: number[];
  /** In small letters, each once: see lib/base/text/labels.ts. */
  labels: string[];
  /** 0 means as many as its program offers. */
  max_parallel_tasks: number;
  state: RunnerState;
  /** Stored for clients of Semaphore's API. It has no effect. */
  is_default?: boolean;
  /** Raw X25519 key in base64url; null until it is registered. */
  public_key: string | null;
  token_hash: string | null;
  /** A rotated token. It replaces the other one when it is first used. */
  next_token_hash: string | null;
  /** The one-time token. It stays after its use, so that a second use gets a clear answer. */
  registration: { hash: string; until: string; used: boolean } | null;
  facts: RunnerFacts | null;
  created: string;
  registered: string | null;
  /** Whether it is deleted once it has been silent for a while, without an alert. */
  one_off?: boolean;
  /** Whether its latest poll had a version of the protocol that this server does not speak. */
  outdated?: boolean;
  /** Whether it is recorded as lost: see lib/alerts/runner_watch.ts. */
  lost?: boolean;
}

/** Whether a runner should be online. A draining one may end. */
export const isExpected = ({ token_hash, state }: RunnerRow): boolean =>
  token_hash !== null && state !== "draining";

/** A registration token for any number of runners, which it creates. */
export interface RunnerTokenRow {
  id: number;
  name: string;
  hash: string;
  /** As in the runners that it creates. */
  project_id: number | null;
  project_ids: number[];
  labels: string[];
  max_parallel_tasks: number;
  /** Number of runners that it may create; 0 means any number. */
  uses_max: number;
  uses: number;
  /** Whether its runners are one-off. */
  one_off: boolean;
  expires_at: string | null;
  created: string;
  last_used: string | null;
}

/** Whether work with these labels is for runners, because the servers may not do it. */
export const needsRunner = (
  labels: readonly string[],
  project: { only_runners?: boolean | null } | null | undefined,
): boolean => labels.length > 0 || project?.only_runners === true;

/** Whether a runner serves a project. Its labels decide which tasks it may run. */
export const servesProject = (
  { project_id, project_ids }: Pick<RunnerRow, "project_id" | "project_ids">,
  projectId: number,
): boolean =>
  project_id === null
    ? project_ids.length === 0 || project_ids.includes(projectId)
    : project_id === projectId;
