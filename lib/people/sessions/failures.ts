import type { Deps } from "../../access/deps.ts";
import type { SignInOrigin } from "../../access/sessions.ts";
import { recordEvent } from "../../events/record.ts";
import type { UserRow } from "../users/schema.ts";

/**
 * Anyone mistypes, so failures are reported only from this number in a row. The limiter keeps the
 * reports few.
 */
const TOLD_FROM = 5;

/** Records in an account's events that sign-ins to it keep failing. */
export async function tellFailures(
  deps: Pick<Deps, "kv" | "clock">,
  { id, username: name }: UserRow,
  count: number,
  { address }: SignInOrigin,
): Promise<void> {
  if (count < TOLD_FROM) return;
  const nobody = { kind: "server", id: 0, projectId: 0 } as const;
  const event = { projectId: 0, object: "user", id, name, action: "sign_ins_failed" } as const;
  const op = deps.kv.atomic();
  recordEvent(op, deps, nobody, { ...event, params: { count, address } });
  await op.commit();
}
