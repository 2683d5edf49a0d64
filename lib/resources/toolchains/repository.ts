import { collection } from "../../kv/collection.ts";
import type { ToolchainRow } from "./schema.ts";

export const toolchainRows = collection<ToolchainRow>("toolchains", {
  texts: ["pip", "collections"],
});
