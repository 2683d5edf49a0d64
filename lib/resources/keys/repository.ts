import { collection } from "../../kv/collection.ts";
import type { KeyRow } from "./schema.ts";

export const keyRows = collection<KeyRow>("keys", {
  references: ({ ssh_options }) =>
    ssh_options?.jump?.key_id ? [["keys", ssh_options.jump.key_id]] : [],
});
