import { collection } from "../../kv/collection.ts";
import type { KeyRow } from "./schema.ts";

export const keyRows = collection<KeyRow>("keys");
