import type { FileRule } from "../../access/file_rules.ts";
import { fileRulesNow } from "./file_rules_now.ts";
import type { RuleDeps } from "./grantee.ts";
import { getRules } from "./repository.ts";
import { type GroupRule, ruleSchema } from "./schema.ts";

/** Returns the rules of the server's file, and those that administrators created. */
export async function rulesInForce({ kv, fileRules }: Pick<RuleDeps, "kv" | "fileRules">) {
  const { value } = await getRules(kv);
  return [...await ofFile(kv, fileRules), ...value?.rules ?? []];
}

/** Returns the file's rules that are in force. */
export const ofFile = async (kv: Deno.Kv, rules: readonly FileRule[]): Promise<GroupRule[]> =>
  (await fileRulesNow(kv, rules)).flatMap(({ problem, project: _, ...rule }) =>
    problem ? [] : [ruleSchema.parse(rule)]
  );

/** Returns the claims that rules for a provider use. */
export async function wantedClaims(deps: RuleDeps, provider: string): Promise<string[]> {
  const rules = await rulesInForce(deps);
  const own = rules.filter((rule) => rule.provider === "" || rule.provider === provider);
  return [...new Set(own.map(({ claim }) => claim))];
}
