import { collection } from "../../kv/collection.ts";
import type { EnvironmentRow } from "./schema.ts";

export const environmentRows = collection<EnvironmentRow>("environments", {
  texts: ["json", "env"],
});
