import { hashToken, newBearerToken } from "../../access/bearer_tokens.ts";
import { isSameSecret } from "../../access/same_secret.ts";
import type { Store } from "../../store/store.ts";
import { getInvite, type InviteRow } from "./repository.ts";

/**
 * Creates the token of a link, and the hash that is stored of it. It ends with the ids of project
 * and invitation, so that the row is found by its key.
 */
export function newInviteToken(projectId: number, id: number): { text: string; hash: string } {
  const text = `${newBearerToken(projectId).text}.${id}`;
  return { text, hash: hashToken(text) };
}

/** Returns the invitation whose link has this token; null if there is none. */
export async function findByToken(
  kv: Store,
  token: string,
): Promise<Deno.KvEntry<InviteRow> | null> {
  const [, projectId, id] = /^[\w-]{43}\.([1-9]\d{0,14})\.([1-9]\d{0,14})$/.exec(token) ?? [];
  if (id === undefined) return null;
  const entry = await getInvite(kv, Number(projectId), Number(id));
  const hash = entry.value?.token_hash;
  return hash && isSameSecret(hash, hashToken(token)) ? entry as Deno.KvEntry<InviteRow> : null;
}
