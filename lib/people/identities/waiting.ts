import type { AdminScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { getWaiting, idOf, listWaitingRows, setWaiting, WAITING_MAX } from "./repository.ts";
import type { Proof, WaitingRow, WaitingView } from "./schema.ts";

/** Records that someone waits for approval, and throws 403 with a message that says so. */
export async function waitForAdmin(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { claims: _, ...proof }: Proof,
): Promise<never> {
  const { value } = await getWaiting(kv, proof);
  if (value?.refused) throw new AppError(403, "errors.external.refused");
  if (!value && (await listWaitingRows(kv)).length >= WAITING_MAX) {
    throw new AppError(403, "errors.external.too_many_wait");
  }
  const asked = value?.asked ?? clock.now().toISOString();
  const op = kv.atomic();
  setWaiting(op, { ...proof, asked, refused: false });
  await op.commit();
  throw new AppError(403, "errors.external.waiting");
}

/** Returns the people who wait for approval, and those who were refused. */
export const listWaiting = async ({ deps }: AdminScope): Promise<WaitingView[]> =>
  (await listWaitingRows(deps.kv)).map(({ profile, provider, asked, refused, ...key }) => ({
    id: idOf(key),
    ...profile,
    provider,
    asked,
    refused,
  }));

/** Returns how many people wait for an answer. At most `WAITING_MAX` rows are read. */
export const countWaiting = async ({ deps }: AdminScope): Promise<number> =>
  (await listWaitingRows(deps.kv)).filter(({ refused }) => !refused).length;

/** Returns a person who waits, by the id of `listWaiting`. Throws not found. */
export async function findWaiting({ deps }: AdminScope, id: string): Promise<WaitingRow> {
  const found = (await listWaitingRows(deps.kv)).find((row) => idOf(row) === id);
  if (!found) throw notFound();
  return found;
}

/** Refuses a person who waits. They can still be accepted later. */
export async function refuseWaiting(scope: AdminScope, id: string): Promise<void> {
  const { deps, actor } = scope;
  const { issuer, subject, profile } = await findWaiting(scope, id);
  await transact(deps.kv, async (op) => {
    const entry = await getWaiting(deps.kv, { issuer, subject });
    if (!entry.value) throw notFound();
    op.check(entry);
    setWaiting(op, { ...entry.value, refused: true });
    const event = { projectId: 0, object: "user", id: 0, name: profile.username } as const;
    recordEvent(op, deps, actor, { ...event, action: "not_let_in" });
  });
}

/** Removes a person from the list. */
export const forgetWaiting = (kv: Store, { issuer, subject }: WaitingRow) =>
  kv.delete(rowKeys.waitingPerson(issuer, subject));
