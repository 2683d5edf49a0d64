/** A key of the project with its secret decrypted; it lives in memory only. */
export type Secret =
  | { type: "none" }
  | { type: "login_password"; login: string; password: string }
  | { type: "ssh"; login: string; passphrase: string; privateKey: string };

/** Where a checkout comes from. A `url` that begins with "/" is a folder used in place. */
export interface RepositoryPlan {
  id: number;
  url: string;
  /** Null only for a folder used in place. */
  branch: string | null;
  /** Checked out instead of the branch's newest commit. */
  commit: string | null;
  /** Refuses a commit that is not in the branch's history. */
  ofBranch?: boolean;
  key: Secret;
}

interface InventoryPlan {
  type: "static" | "static-yaml" | "file";
  /** The inventory's text, or for `file` its path inside the checkout. */
  content: string;
  /** Where a `file` inventory lies when not in the playbook's repository. */
  repository: RepositoryPlan | null;
  /** How Ansible signs in on hosts. */
  userKey: Secret;
  becomeKey: Secret | null;
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

/** Everything one run needs. Made when the run starts, never stored. */
export interface RunPlan {
  taskId: number;
  projectId: number;
  templateId: number;
  /** Path inside the checkout, or the full name of a collection's playbook. */
  playbook: string;
  repository: RepositoryPlan;
  inventory: InventoryPlan;
  extraVars: Record<string, unknown>;
  /** Extra vars that people and webhooks sent: they win, and are never taken as templates. */
  answers: Record<string, unknown>;
  /** Extra vars too, taken literally and masked in the output. */
  secretVars: Record<string, string>;
  env: Record<string, string>;
  /** Variables of the process too, but masked in the output. */
  secretEnv: Record<string, string>;
  vaults: { name: string; password: string }[];
  debug: boolean;
  dryRun: boolean;
  diff: boolean;
  limit: string | null;
  tags: string[];
  skipTags: string[];
  /** The template's arguments, then the task's. */
  arguments: string[];
  skipGalaxyInstall: boolean;
  details: TaskDetails;
}

export interface Commit {
  /** The full hash. */
  hash: string;
  /** The first line of the commit's message. */
  message: string;
}
