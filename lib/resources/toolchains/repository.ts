import { collection } from "../../store/collection.ts";
import type { ToolchainRow } from "./schema.ts";

export const toolchainRows = collection<ToolchainRow>("toolchains", {
  references: ({ galaxy_key_id }) => galaxy_key_id ? [["keys", galaxy_key_id]] : [],
  texts: ["pip", "collections"],
});
