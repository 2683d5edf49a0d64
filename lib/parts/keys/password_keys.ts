import { invalidField } from "../../base/errors.ts";
import type { KeyRow } from "./schema.ts";

/**
 * Throws 400 if one of these fields refers to an SSH key. A key with login and password is
 * allowed, and so is an empty key, which clients send if there is no password.
 */
export function requirePasswordKeys(targets: Map<string, unknown>, fields: string[]): void {
  for (const field of fields) {
    const key = targets.get(field) as KeyRow | undefined;
    if (key?.type === "ssh") {
      throw invalidField(field, "errors.keys.password_key_needed");
    }
  }
}
