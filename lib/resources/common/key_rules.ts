import { invalidField } from "../../base/errors.ts";

/** Throws 400 if one of these fields refers to a key that is not an SSH key. */
export function requireSshKeys(targets: ReadonlyMap<string, unknown>, fields: string[]): void {
  const wrong = fields.find((field) => {
    const key = targets.get(field) as { type: string } | undefined;
    return key !== undefined && key.type !== "ssh";
  });
  if (wrong) throw invalidField(wrong, "errors.keys.ssh_key_needed");
}
