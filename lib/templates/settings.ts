import { keyListView } from "../resources/common/key_list.ts";
import { environmentIds, type TemplateRow } from "./schema.ts";

/** The members of a template that people set, as events keep them. */
export const templateSettings = (
  { more_environment_ids, environment_id, ssh_keys = [], ...row }: TemplateRow,
): object => ({
  ...row,
  ...keyListView(ssh_keys),
  environment_ids: environmentIds({ environment_id, more_environment_ids }),
});
