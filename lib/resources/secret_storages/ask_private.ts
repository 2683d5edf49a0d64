import type { ProjectScope } from "../../access/scope.ts";
import { invalidField } from "../../base/errors.ts";
import { isTypedPrivate } from "../../base/network.ts";
import { storageKind } from "./params.ts";
import type { SecretStorageForm, SecretStorageView } from "./schema.ts";

/**
 * Throws 400 at a new address in a private network that an admin has not allowed, because this
 * server could not read from it. Only forms ask, and only people who can allow it.
 */
export function askPrivateStorage(
  { deps: { environment }, actor }: ProjectScope,
  { type, params, allow_private }: SecretStorageForm,
  stored: SecretStorageView | null,
): void {
  const { networks } = environment.sources;
  if (allow_private || networks === null || actor.kind !== "user" || !actor.admin) return;
  const asked = storageKind(type).fields.find((field) => {
    const address = String(params[field.name] ?? "");
    return field.type === "url" && address !== stored?.params[field.name] &&
      isTypedPrivate(address, networks);
  });
  if (asked) throw invalidField(`params.${asked.name}`, "errors.private_address");
}
