import { collection } from "../../store/collection.ts";
import type { SecretStorageRow } from "./schema.ts";

export const secretStorageRows = collection<SecretStorageRow>("secret_storages");
