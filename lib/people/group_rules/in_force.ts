import type { FileRule } from "../../access/file_rules.ts";
import type { Deps } from "../../access/deps.ts";
import { getRules } from "./repository.ts";
import { type FileRuleView, type GroupRule, ruleSchema } from "./schema.ts";
import { listProjectRows } from "../../model/projects.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";

/** Dependencies for applying rules to an account. */
export type RuleDeps = Pick<Deps, "kv" | "clock" | "log" | "hub" | "fileRules">;

/** Returns the rules of the server's file, and those that administrators created. */
export async function rulesInForce({ kv, fileRules }: Pick<RuleDeps, "kv" | "fileRules">) {
  const { value } = await getRules(kv);
  return [...await ofFile(kv, fileRules), ...value?.rules ?? []];
}

/** Returns the file's rules that are in force. */
export const ofFile = async (kv: Store, rules: readonly FileRule[]): Promise<GroupRule[]> =>
  (await fileRulesNow(kv, rules)).flatMap(({ problem, project: _, ...rule }) =>
    problem ? [] : [ruleSchema.parse(rule)]
  );

/** Returns the claims that rules for a provider use. */
export async function wantedClaims(deps: RuleDeps, provider: string): Promise<string[]> {
  const rules = await rulesInForce(deps);
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  return [...new Set(own.map(({ claim }) => claim))];
}

/**
 * Returns the rules of the server's file with the projects that they mean. A name means the only
 * project that had it when it was first looked up, even after that project was renamed. Someone who
 * renames another project to that name does not gain the rule.
 */
export async function fileRulesNow(
  kv: Store,
  rules: readonly FileRule[],
): Promise<FileRuleView[]> {
  const isOfProjects = rules.some(({ project }) => project !== undefined);
  const projects = isOfProjects ? (await listProjectRows(kv)).filter((one) => !one.deleting) : [];
  const views: FileRuleView[] = [];
  for (const { provider = "", claim, value, gives, project } of rules) {
    const meant = await projectMeant(kv, projects, project);
    views.push({ provider, claim, value, gives, project_id: null, project, ...meant });
  }
  return views;
}

type Meant = Pick<FileRuleView, "problem"> & { project_id?: number };

async function projectMeant(
  kv: Store,
  projects: ProjectRow[],
  project: string | number | undefined,
): Promise<Meant> {
  const isThere = (id: number) => projects.some((one) => one.id === id);
  if (project === undefined) return {};
  if (typeof project === "number") {
    return isThere(project) ? { project_id: project } : { problem: "unknown" };
  }
  const key = rowKeys.ruleProject(project);
  const bound = await kv.get<number>(key);
  if (bound.value !== null) {
    return isThere(bound.value) ? { project_id: bound.value } : { problem: "gone" };
  }
  const named = projects.filter(({ name }) => name === project);
  if (named.length !== 1) return { problem: named.length === 0 ? "unknown" : "ambiguous" };
  const [{ id }] = named;
  const { ok } = await kv.atomic().check(bound).set(key, id).commit();
  return ok ? { project_id: id } : await projectMeant(kv, projects, project);
}
