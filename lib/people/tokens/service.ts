import type { AccountScope, UserScope } from "../../access/scope.ts";
import type { UserActor } from "../../access/actor.ts";
import {
  type ApiTokenRow,
  isUsable,
  listApiTokens,
  putApiToken,
  removeApiToken,
  revokeApiTokens,
} from "../../access/api_tokens.ts";
import { getCredential } from "../../access/authenticate.ts";
import { accessChanged } from "../../access/changed.ts";
import { requireFullToken } from "../../access/credentials.ts";
import { newBearerToken } from "../../access/bearer_tokens.ts";
import { AppError, conflict, invalidField, notFound, unauthorized } from "../../base/errors.ts";
import type { SessionRow } from "../../access/sessions.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../store/transact.ts";
import { getUserEntry, getUserRow } from "../../model/accounts.ts";
import { PREFIX_LENGTH, type TokenForm, type TokenView } from "./schema.ts";

const TOKENS_MAX = 200;

/** Returns an account's API tokens without their secrets, for admins and the owner. */
export async function listTokens({ deps, userId }: AccountScope): Promise<TokenView[]> {
  await getUserRow(deps.kv, userId);
  const tokens = await listApiTokens(deps.kv, userId);
  return tokens.map(({ row }) => tokenView(row, deps.clock.now()));
}

/**
 * Creates an API token. Its `id` is the whole token, which cannot be seen again. Throws 403 for a
 * token that may not create others, because its thief could otherwise keep access for good.
 */
export async function createToken(
  { deps, actor }: UserScope,
  form: TokenForm,
): Promise<TokenView> {
  const now = deps.clock.now();
  if (form.expires_at !== null && Date.parse(form.expires_at) <= now.getTime()) {
    throw invalidField("expires_at", "errors.time_passed");
  }
  if ((await listApiTokens(deps.kv, actor.id)).length >= TOKENS_MAX) {
    throw conflict("errors.too_many_tokens", { max: TOKENS_MAX });
  }
  const { text, hash } = newBearerToken(actor.id);
  const row: ApiTokenRow = {
    user_id: actor.id,
    prefix: text.slice(0, PREFIX_LENGTH),
    name: form.name,
    created: now.toISOString(),
    expires_at: form.expires_at,
    last_used: null,
    may_make_tokens: form.may_make_tokens,
  };
  await transact(deps.kv, async (op) => {
    const credential = await getCredential(deps.kv, actor);
    // Tokens are listed after a credential was ended, so an ended one must not create more.
    if (credential.versionstamp === null) throw unauthorized();
    if (!makesTokens(credential.value)) throw new AppError(403, "errors.token_makes_none");
    op.check(credential, await getUserEntry(deps.kv, actor.id));
    putApiToken(op, hash, row, now);
    recordEvent(op, deps, actor, { ...eventOf(actor, row), action: "token_created" });
  });
  return { ...tokenView(row, now), id: text };
}

/** Whether a session or token may create tokens. All sessions may. */
const makesTokens = (credential: SessionRow | ApiTokenRow): boolean =>
  !("prefix" in credential) || credential.may_make_tokens;

/**
 * Ends an API token, named by its first letters or by all of them. Throws not found, and 403 for a
 * token that may not create others, unless it ends itself.
 */
export async function deleteToken(
  { deps, actor, userId }: AccountScope,
  id: string,
): Promise<void> {
  const user = await getUserRow(deps.kv, userId);
  const tokens = await listApiTokens(deps.kv, userId);
  const found = tokens.find(({ row }) => row.prefix === id.slice(0, PREFIX_LENGTH));
  if (!found) throw notFound();
  if (found.hash !== actor.credential.hash) requireFullToken(actor, "errors.token_ends_none");
  const op = deps.kv.atomic();
  removeApiToken(op, userId, found.hash);
  recordEvent(op, deps, actor, { ...eventOf(user, found.row), action: "token_deleted" });
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: userId });
}

/** Ends all API tokens of an account except the current one. */
export async function deleteTokens({ deps, actor, userId }: AccountScope): Promise<void> {
  requireFullToken(actor, "errors.token_ends_none");
  const { id, username: name } = await getUserRow(deps.kv, userId);
  const count = await revokeApiTokens(deps.kv, userId, actor.credential.hash);
  const op = deps.kv.atomic();
  const event = { projectId: 0, object: "user", id, name, params: { count } } as const;
  recordEvent(op, deps, actor, { ...event, action: "tokens_deleted" });
  await op.commit();
  await accessChanged(deps, { project_id: null, user_id: userId });
}

const eventOf = (
  { id, username }: Pick<UserActor, "id" | "username">,
  { prefix, name }: ApiTokenRow,
) =>
  ({
    projectId: 0,
    object: "user",
    id,
    name: username,
    params: { token: name || prefix },
  }) as const;

function tokenView(row: ApiTokenRow, now: Date): TokenView {
  const { prefix, user_id, name, created, expires_at, last_used, may_make_tokens } = row;
  return {
    id: prefix,
    name,
    created,
    expires_at,
    expired: !isUsable(row, now),
    last_used,
    user_id,
    may_make_tokens,
  };
}
