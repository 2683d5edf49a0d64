import { invalidField } from "../../base/errors.ts";

/** Rows that a form refers to, by field. */
type Targets = ReadonlyMap<string, unknown>;

/** Throws 400 if one of these fields refers to a key that is not an SSH key. */
export const requireSshKeys = (targets: Targets, fields: string[]): void =>
  requireTypes(targets, fields, (type) => type === "ssh", "errors.keys.ssh_key_needed");

/**
 * Throws 400 if one of these fields refers to an SSH key. A key with login and password is
 * allowed, and so is an empty key, which clients send if there is no password.
 */
export const requirePasswordKeys = (targets: Targets, fields: string[]): void =>
  requireTypes(targets, fields, (type) => type !== "ssh", "errors.keys.password_key_needed");

function requireTypes(
  targets: Targets,
  fields: string[],
  isRight: (type: string) => boolean,
  problem: string,
): void {
  const wrong = fields.find((field) => {
    const key = targets.get(field) as { type: string } | undefined;
    return key !== undefined && key !== null && !isRight(key.type);
  });
  if (wrong) throw invalidField(wrong, problem);
}
