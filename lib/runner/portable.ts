import { AppError } from "../base/errors.ts";
import type { AnsiblePlan, ToolchainPlan } from "../execution/ansible/plan.ts";
import { pythonsFor } from "../execution/ansible/toolchains/toolchain_lines.ts";
import type { RepositoryPlan } from "../execution/run/plan.ts";
import { hasReferences } from "../execution/sources/resolve.ts";
import type { RunnerAbility, RunnerFacts } from "./protocol.ts";

/** Throws 422 if a repository is a folder of the server, which runners cannot read. */
export function requirePortable(...repositories: (RepositoryPlan | null)[]): void {
  if (repositories.some((repository) => repository?.address.kind === "local")) {
    throw new AppError(422, "errors.run.folder_on_server");
  }
}

/** Throws 422 if files are kept between runs, which are stored on servers alone. */
export function requireNothingKept({ keeps }: Pick<AnsiblePlan, "keeps">): void {
  if (keeps) throw new AppError(422, "errors.run.kept_on_runner");
}

/** A runner as it describes itself. */
interface AbleRunner {
  name: string;
  facts: Pick<RunnerFacts, "abilities" | "tools"> | null;
}

/** Returns what a plan asks of a runner's program. */
export const abilitiesFor = (plan: unknown): RunnerAbility[] => [
  ...hasReferences(plan) ? ["references" as const] : [],
  ...hasCertificate(plan) ? ["certificates" as const] : [],
  ...hasSshKeys(plan) ? ["ssh_keys" as const] : [],
  ...abilitiesForToolchain(plan as Partial<AnsiblePlan>),
  ...(plan as Partial<AnsiblePlan>).hosts ? ["hosts" as const] : [],
  ...(plan as Partial<AnsiblePlan>).workingDirectory ? ["working_directory" as const] : [],
  ...hasAuthorities(plan) ? ["authorities" as const] : [],
  ...(plan as Partial<AnsiblePlan>).requirements ? ["requirements" as const] : [],
];

export function abilitiesForToolchain(
  { toolchain }: Pick<AnsiblePlan, "toolchain">,
): RunnerAbility[] {
  if (!toolchain) return [];
  return [toolchain.kind === "image" ? "images" : toolchain.galaxy ? "galaxy" : "toolchains"];
}

/** Whether a key anywhere in a plan has a certificate. */
function hasCertificate(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { type, certificate } = part as { type?: unknown; certificate?: unknown };
  return type === "ssh" && Boolean(certificate) || Object.values(part).some(hasCertificate);
}

/** Whether keys of hosts are checked with an authority, instead of pinned at the first contact. */
function hasAuthorities(plan: unknown): boolean {
  const { repository, inventory } = plan as Partial<AnsiblePlan>;
  return [repository, inventory?.repository].some((one) => one?.hostAuthorities?.length);
}

/** Whether hosts of a plan, or of a connection test, are offered more than one key. */
const hasSshKeys = (plan: unknown): boolean =>
  (plan as { inventory?: { sshKeys?: unknown } }).inventory?.sshKeys !== undefined;

/** A program that a machine needs for a toolchain: podman, or one of these versions of Python. */
export type NeededTool = { podman: true } | { pythons: string[] };

/** Returns what a runner has not got for a toolchain. Null for nothing, or before it has looked. */
export function missingTool(
  { facts }: AbleRunner,
  { kind, ansibleCore, python }: Pick<ToolchainPlan, "kind" | "ansibleCore" | "python">,
): NeededTool | null {
  const { tools } = facts ?? {};
  if (!tools || kind === "path") return null;
  if (kind === "image") return tools.podman === null ? { podman: true } : null;
  const pythons = pythonsFor(ansibleCore, python);
  return pythons.some((version) => tools.pythons.includes(version)) ? null : { pythons };
}

/** Whether a runner's program knows all that a plan asks of it. */
export const isAble = ({ facts }: AbleRunner, needed: readonly RunnerAbility[]): boolean =>
  needed.every((ability) => facts?.abilities.includes(ability));

/** Throws 422 if a runner's program would ignore a part of a plan. */
export function requireAbilities(runner: AbleRunner, plan: unknown): void {
  const { name } = runner;
  if (!isAble(runner, abilitiesFor(plan))) {
    throw new AppError(422, "errors.run.runner_too_old", { name });
  }
}
