import { invalidField } from "../../base/errors.ts";
import { isTypedPrivate } from "../../base/network.ts";
import { fieldsOf } from "../kinds/kinds.ts";
import { type AlertsScope, isAdmin } from "../scope.ts";
import type { TargetForm, TargetView } from "./schema.ts";

/**
 * Throws 400 at a new address in a private network that an admin has not allowed, because every
 * message to it would fail. Only forms ask, and only people who can allow it.
 */
export function askPrivateTarget(
  scope: AlertsScope,
  { kind, settings, allow_private }: TargetForm,
  stored: TargetView | null,
): void {
  if (allow_private || !isAdmin(scope)) return;
  const { networks } = scope.deps.config.alerts;
  const asked = fieldsOf(kind).find(({ name, type }) => {
    const address = settings[name] ?? "";
    return type === "url" && address !== stored?.settings[name] &&
      isTypedPrivate(address, networks);
  });
  if (asked) throw invalidField(`settings.${asked.name}`, "errors.private_address");
}
