import { collection } from "../../store/collection.ts";
import type { Ref } from "../../store/keys.ts";
import { storagesOf } from "../secret_storages/schema.ts";
import type { KeyRow } from "./schema.ts";

/** Returns the key of the jump host, and the storages from which a key is read and signed. */
export const keyReferences = ({ ssh_options, source, certificate_source }: KeyRow): Ref[] => [
  ...ssh_options?.jump?.key_id ? [["keys", ssh_options.jump.key_id] as const] : [],
  ...storagesOf([source, certificate_source]),
];

export const keyRows = collection<KeyRow>("keys", { references: keyReferences });
