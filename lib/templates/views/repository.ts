import { accessRuleOf } from "../../model/access_rule.ts";
import { collection } from "../../store/collection.ts";
import type { ViewRow } from "./schema.ts";

export const viewRows = collection<ViewRow>("views", { rule: accessRuleOf });
