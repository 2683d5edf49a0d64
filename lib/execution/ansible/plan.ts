import type { Secret } from "../../base/secret.ts";
import type { AgentKey } from "../ssh/agent.ts";
import type { GalaxyServer } from "../run/package_sources.ts";
import type { PlanKey, RepositoryPlan, RunPlan } from "../run/plan.ts";
import type { UsedRequirements } from "../run/used_requirements.ts";

/** One of the keys that are offered to hosts, in order. */
export interface HostKey extends AgentKey {
  /** Patterns for names of hosts and groups. Missing if it is for all hosts. */
  hosts?: string[];
  options?: HostKeyOptions;
}

/** Way to the hosts of a key, unless their own variables name another one. */
interface HostKeyOptions {
  user?: string;
  port?: number;
  jump?: JumpHost;
}

export interface JumpHost {
  host: string;
  port?: number;
  user?: string;
  /** Offered to the jump host, and to no one else. Without it, the key itself is. */
  key?: AgentKey;
}

export interface InventoryPlan {
  type: "static" | "static-yaml" | "file";
  /** The inventory's text. For `file`, its path inside the checkout. */
  content: string;
  /** The repository of a `file` inventory, if it is not the playbook's. */
  repository: RepositoryPlan | null;
  /** Key that Ansible uses to sign in on hosts, or the first of several. It has the login. */
  userKey: PlanKey;
  /** All SSH keys with what is known of them, if there is more than `userKey`. */
  sshKeys?: HostKey[];
  becomeKey: PlanKey | null;
}

/** An Ansible that a run uses instead of that of its machine. */
export interface ToolchainPlan {
  name: string;
  kind: "built" | "path" | "image";
  /** A version or a range; "" for what the lines of pip bring. */
  ansibleCore: string;
  /** Requirements of pip, and collections, as `toolchain_lines.ts` reads them. */
  pip: string[];
  collections: string[];
  /** A version such as "3.11"; "" for one that fits. */
  python: string;
  /** Folder of a `path`: of its programs, or of their virtualenv. */
  path: string;
  /** Reference of an `image`, for podman. Missing in plans of other kinds. */
  image?: string;
  /** Source of the collections. Without it, whatever builds the toolchain has one. */
  galaxy?: GalaxyServer;
}

/** Settings of a run's requirements. */
export interface RequirementsPlan {
  /** Those of an earlier run, which are used instead of newer ones. */
  same?: UsedRequirements;
  /** Changes when everything should be installed again. */
  generation?: string;
}

/** Everything that a run of a playbook needs. */
export interface AnsiblePlan extends RunPlan {
  /** Path inside the checkout, or the full name of a collection's playbook. */
  playbook: string;
  /** Folder inside the checkout in which Ansible starts; missing for its root. */
  workingDirectory?: string;
  inventory: InventoryPlan;
  extraVars: Record<string, unknown>;
  /** JSON of extra vars in which numbers are names, since JavaScript moves these to the front. */
  extraVarTexts?: Record<string, string>;
  /** Extra vars sent by people and webhooks. They win, and are never taken as templates. */
  answers: Record<string, unknown>;
  /** Further extra vars, also taken literally. */
  secretVars: Record<string, Secret>;
  vaults: { name: string; password: Secret }[];
  debug: boolean;
  dryRun: boolean;
  diff: boolean;
  /**
   * Set for a preview. Shows differences even if not requested, unless a vault password is used.
   */
  previewDiff?: boolean;
  limit: string | null;
  /** The only hosts to run on, by their exact names. They replace `limit`. */
  hosts?: string[];
  /** Name of the Ansible task to start at. The ones before it are skipped. */
  startAt?: string;
  tags: string[];
  skipTags: string[];
  /** The arguments of the template, then those of the task. */
  arguments: string[];
  skipGalaxyInstall: boolean;
  /** Whether the full answers of modules and the facts of hosts are reported. */
  fullResults: boolean;
  /** Whether outputs are reported. */
  keepsOutputs: boolean;
  /** Missing where there is nothing to say. */
  requirements?: RequirementsPlan;
  /** Missing where the Ansible of the machine is used. */
  toolchain?: ToolchainPlan;
}
