import type { FirstAdmin } from "../lib/people/accounts/first_admin.ts";
import { say } from "./console.ts";

/** Prints the account that the start has created, if there is one. */
export function tellFirstAdmin(firstAdmin: FirstAdmin | null): void {
  if (!firstAdmin) return;
  say(`The first administrator is "${firstAdmin.username}".`);
  if (firstAdmin.password) say(`Its password, which is not shown again: ${firstAdmin.password}`);
}
