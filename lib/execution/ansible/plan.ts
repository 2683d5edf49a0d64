import type { Secret } from "../../base/secret.ts";
import type { PlanKey, RepositoryPlan, RunPlan } from "../run/plan.ts";

export interface InventoryPlan {
  type: "static" | "static-yaml" | "file";
  /** The inventory's text, or for `file` its path inside the checkout. */
  content: string;
  /** Where a `file` inventory lies when not in the playbook's repository. */
  repository: RepositoryPlan | null;
  /** How Ansible signs in on hosts. */
  userKey: PlanKey;
  becomeKey: PlanKey | null;
}

/** What a run of a playbook needs. */
export interface AnsiblePlan extends RunPlan {
  /** Path inside the checkout, or the full name of a collection's playbook. */
  playbook: string;
  inventory: InventoryPlan;
  extraVars: Record<string, unknown>;
  /** Extra vars that people and webhooks sent: they win, and are never taken as templates. */
  answers: Record<string, unknown>;
  /** Extra vars too, taken literally. */
  secretVars: Record<string, Secret>;
  vaults: { name: string; password: Secret }[];
  debug: boolean;
  dryRun: boolean;
  diff: boolean;
  /** A preview: differences are shown although nobody asked, where no vault password is used. */
  previewDiff?: boolean;
  limit: string | null;
  tags: string[];
  skipTags: string[];
  /** The template's arguments, then the task's. */
  arguments: string[];
  skipGalaxyInstall: boolean;
  /** Whether all that modules answer is told, and the facts of hosts. */
  fullResults: boolean;
}
