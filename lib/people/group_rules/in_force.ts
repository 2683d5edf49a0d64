import { listProjectRows } from "../../access/projects.ts";
import type { FileRule } from "../../access/file_rules.ts";
import type { RuleDeps } from "./grantee.ts";
import { getRules } from "./repository.ts";
import { type GroupRule, ruleSchema } from "./schema.ts";

/** The rules of the server's file, and those that administrators have made. */
export async function rulesInForce({ kv, fileRules }: Pick<RuleDeps, "kv" | "fileRules">) {
  const { value } = await getRules(kv);
  return [...await ofFile(kv, fileRules), ...value?.rules ?? []];
}

/** The file's rules; those of a project that there is none of, yet, are left out. */
export async function ofFile(kv: Deno.Kv, rules: readonly FileRule[]): Promise<GroupRule[]> {
  const isByName = rules.some(({ project }) => typeof project === "string");
  const projects = isByName ? await listProjectRows(kv) : [];
  return rules.flatMap(({ project, ...rule }) => {
    const id = typeof project === "string"
      ? projects.find(({ name, deleting }) => name === project && !deleting)?.id
      : project;
    const parsed = ruleSchema.safeParse({ ...rule, project_id: id });
    return parsed.success ? [parsed.data] : [];
  });
}

/** The claims that rules for a provider look at. */
export async function wantedClaims(deps: RuleDeps, provider: string): Promise<string[]> {
  const rules = await rulesInForce(deps);
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  return [...new Set(own.map(({ claim }) => claim))];
}
