import { invalidField } from "../../base/errors.ts";
import type { KeyRow } from "./schema.ts";

/** Throws 400 unless the keys of these fields, where there are any, hold a login and a password. */
export function requirePasswordKeys(targets: Map<string, unknown>, fields: string[]): void {
  for (const field of fields) {
    const key = targets.get(field) as KeyRow | undefined;
    if (key && key.type !== "login_password") {
      throw invalidField(field, "errors.keys.password_key_needed");
    }
  }
}
