import { invalidField } from "../../base/errors.ts";
import type { KeyRow } from "./schema.ts";

/**
 * Throws 400 when a key of these fields is one for SSH: it must hold a login and a password, or
 * nothing, as the key that clients send where there is no password.
 */
export function requirePasswordKeys(targets: Map<string, unknown>, fields: string[]): void {
  for (const field of fields) {
    const key = targets.get(field) as KeyRow | undefined;
    if (key?.type === "ssh") {
      throw invalidField(field, "errors.keys.password_key_needed");
    }
  }
}
