import type { Secret } from "../../base/secret.ts";
import type { PlainReferences } from "../sources/reference.ts";

/** A key of the project as a run gets it. In stored form its secrets are sealed texts. */
export type PlanKey<S = Secret> =
  | { type: "none" }
  | { type: "login_password"; login: string; password: S; plain?: PlainReferences }
  | {
    type: "ssh";
    login: string;
    passphrase: S;
    privateKey: S;
    /** A certificate of the key's public half, in one line. */
    certificate?: string;
    /** Name of the key, for errors. */
    name?: string;
    plain?: PlainReferences;
  };

export type SshKey = Extract<PlanKey, { type: "ssh" }>;

/** A repository's address in parts, so that its secrets are separate from the URL for git. */
export interface RepositoryAddress {
  kind: "local" | "http" | "ssh" | "git" | "file";
  /** For git's arguments. An http address has no login and password here. */
  url: string;
  /** Scheme, host and port of an http address, otherwise "". */
  origin: string;
  host: string;
  /** A secret if it is a token. */
  login: string | Secret;
  password: Secret | null;
  /** Login and password as they were written, if the login is a token. Used only for masking. */
  userinfo: Secret | null;
}

/** A site in parts, because a text that begins alike can be another server. */
export interface CredentialSite {
  scheme: "https" | "http" | "ssh";
  /** In lower case. */
  host: string;
  /** "*" stands for any. */
  port: string;
  /** Account of an SSH address, or "" for any. */
  user: string;
  /** Whole segments, without slashes and ".git" at the end. "" stands for any. */
  path: string;
}

/** A key of the project for git, and where it is used. */
export interface GitCredential {
  /** Name of the key, for errors. */
  name: string;
  site: CredentialSite;
  key: PlanKey;
}

/** Source of a checkout. A "local" address is a folder used in place. */
export interface RepositoryPlan {
  /**
   * Null for a repository that is not stored. The commits fetched from it are removed with the run.
   */
  id: number | null;
  address: RepositoryAddress;
  /** A branch, a tag or the id of a commit. Null only for a folder that is used in place. */
  branch: string | null;
  /** Number of commits that the checkout shows, or 0 for all and all tags. 1 if it is missing. */
  depth?: number;
  /** Checked out instead of the branch's latest commit. */
  commit: string | null;
  /** Refuses a commit that is not in the branch's history. */
  ofBranch?: boolean;
  key: PlanKey;
  /** Keys for submodules, requirements, and a repository without a key. Missing for none. */
  credentials?: GitCredential[];
  /**
   * The project's host authorities as lines of ssh's file of known hosts, for git and Ansible.
   * Missing for none.
   */
  hostAuthorities?: string[];
}

export interface TaskDetails {
  message: string;
  /** Login of the person who started it, or "" for schedules and webhooks. */
  username: string;
  /** Address of the task's page, or null if the server does not know its own address. */
  url: string | null;
  type: "" | "build" | "deploy";
  incomingVersion: string | null;
  targetVersion: string | null;
}

/**
 * Everything that a run of any kind needs. The plans of each kind add to it. Created when the run
 * starts, never stored. Every `Secret` in it is masked in the output.
 */
export interface RunPlan {
  taskId: number;
  projectId: number;
  repository: RepositoryPlan;
  env: Record<string, string>;
  /** Further variables of the process. */
  secretEnv: Record<string, Secret>;
  details: TaskDetails;
  /** Missing if nothing is kept. */
  keeps?: KeptPlan[];
}

/** Paths that are kept between runs: in the checkout, or that of a template's inventory. */
export interface KeptPlan {
  of: "template" | "inventory";
  paths: string[];
}

export interface Commit {
  /** The full hash. */
  hash: string;
  /** The first line of the commit's message. */
  message: string;
}
