import type { Secret } from "../../base/secret.ts";

/** A key of the project as a run gets it; with texts for secrets, as it is sealed. */
export type PlanKey<S = Secret> =
  | { type: "none" }
  | { type: "login_password"; login: string; password: S }
  | { type: "ssh"; login: string; passphrase: S; privateKey: S };

/** A repository's address, taken apart: what is secret in it is apart from what git is told. */
export interface RepositoryAddress {
  kind: "local" | "http" | "ssh" | "git" | "file";
  /** For git's arguments; of an http address without login and password. */
  url: string;
  /** Scheme, host and port of an http address, "" for others. */
  origin: string;
  host: string;
  /** Secret where it is a token. */
  login: string | Secret;
  password: Secret | null;
  /** Login and password as they were written, where the login is a token: only to be masked. */
  userinfo: Secret | null;
}

/** Where a checkout comes from. A "local" address is a folder used in place. */
export interface RepositoryPlan {
  /** Null for one that is not stored: what is fetched from it goes with the run. */
  id: number | null;
  address: RepositoryAddress;
  /** Null only for a folder used in place. */
  branch: string | null;
  /** Checked out instead of the branch's newest commit. */
  commit: string | null;
  /** Refuses a commit that is not in the branch's history. */
  ofBranch?: boolean;
  key: PlanKey;
}

export interface TaskDetails {
  message: string;
  /** Login of who started it, "" for schedules and webhooks. */
  username: string;
  /** Address of the task's page, null when the server does not know its own address. */
  url: string | null;
  type: "" | "build" | "deploy";
  incomingVersion: string | null;
  targetVersion: string | null;
}

/**
 * What one run of any kind needs; what its kind needs besides is in the plan of that kind. Made when
 * the run starts, never stored. Every `Secret` in it is masked in the output.
 */
export interface RunPlan {
  taskId: number;
  projectId: number;
  repository: RepositoryPlan;
  env: Record<string, string>;
  /** Variables of the process too. */
  secretEnv: Record<string, Secret>;
  details: TaskDetails;
}

export interface Commit {
  /** The full hash. */
  hash: string;
  /** The first line of the commit's message. */
  message: string;
}
