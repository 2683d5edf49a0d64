import { collection } from "../store/collection.ts";
import { accessRuleOf } from "../model/access_rule.ts";
import type { Ref } from "../store/keys.ts";
import { environmentIds, type TemplateRow } from "./schema.ts";

export const templateRows = collection<TemplateRow>("templates", {
  references: (row) => {
    const used: Ref[] = [["repositories", row.repository_id]];
    if (row.inventory_id !== null) used.push(["inventories", row.inventory_id]);
    for (const id of environmentIds(row)) used.push(["environments", id]);
    if (row.view_id !== null) used.push(["views", row.view_id]);
    if (row.build_template_id !== null) used.push(["templates", row.build_template_id]);
    if (row.toolchain_id) used.push(["toolchains", row.toolchain_id]);
    for (const { vault_key_id } of row.vaults) {
      if (vault_key_id !== null) used.push(["keys", vault_key_id]);
    }
    for (const { id } of row.ssh_keys ?? []) used.push(["keys", id]);
    return used;
  },
  texts: ["description", "arguments"],
  documents: ["survey_vars", "task_params"],
  rule: accessRuleOf,
});
