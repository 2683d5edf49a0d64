import { collection } from "../../kv/collection.ts";
import { storagesOf } from "../secret_storages/schema.ts";
import type { KeyRow } from "./schema.ts";

export const keyRows = collection<KeyRow>("keys", {
  references: ({ ssh_options, source, certificate_source }) => [
    ...ssh_options?.jump?.key_id ? [["keys", ssh_options.jump.key_id] as const] : [],
    ...storagesOf([source, certificate_source]),
  ],
});
