import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { RuleRow } from "./schema.ts";

/** Returns the rules of a project, or of the server for 0, by id. */
export const listRuleRows = (kv: Store, place: number): Promise<RuleRow[]> =>
  Array.fromAsync(kv.list<RuleRow>({ prefix: rowKeys.alertRules(place) }), ({ value }) => value);
