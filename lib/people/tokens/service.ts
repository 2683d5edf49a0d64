import {
  type AccountScope,
  findMembership,
  openAccount,
  type UserScope,
} from "../../access/scope.ts";
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
import { requireFullToken, requireSession } from "../../access/credentials.ts";
import { newBearerToken } from "../../access/bearer_tokens.ts";
import { checkedLimits, requireNarrower, type SentLimits } from "../../access/tokens/token_form.ts";
import { tokenLimitsOf } from "../../access/token_scopes.ts";
import { AppError, conflict, invalidField, notFound, unauthorized } from "../../base/errors.ts";
import type { SessionRow } from "../../access/sessions.ts";
import { recordEvent } from "../../events/record.ts";
import { recordChange } from "../../events/record_change.ts";
import type { TokenLimits } from "../../model/token_limits.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import { getUserEntry, getUserRow } from "../../model/accounts.ts";
import { PREFIX_LENGTH, type TokenChangeForm, type TokenForm, type TokenView } from "./schema.ts";

const TOKENS_MAX = 200;

const UNLIMITED: TokenLimits = {
  scopes: null,
  project_ids: null,
  template_ids: null,
  networks: null,
};

/** Returns an account's API tokens without their secrets, for admins and the owner. */
export async function listTokens({ deps, userId }: AccountScope): Promise<TokenView[]> {
  await getUserRow(deps.kv, userId);
  const tokens = await listApiTokens(deps.kv, userId);
  return tokens.map(({ row }) => tokenView(row, deps.clock.now()));
}

/**
 * Creates an API token. Its `id` is the whole token, which cannot be seen again. Throws 403 for a
 * token that may not create others, because its thief could otherwise keep access for good, and for
 * one that may do less than the new one.
 */
export async function createToken(
  { deps, actor }: UserScope,
  form: TokenForm,
): Promise<TokenView> {
  const now = deps.clock.now();
  requireFuture(form.expires_at, now);
  const limits = await limitsFor({ deps, actor }, form);
  requireNarrower(tokenLimitsOf(actor), limits);
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
    ...limits && { limits },
  };
  await transact(deps.kv, async (op) => {
    const credential = await getCredential(deps.kv, actor);
    // Tokens are listed after a credential was ended, so an ended one must not create more.
    if (credential.versionstamp === null) throw unauthorized();
    if (!makesTokens(credential.value)) throw new AppError(403, "errors.token_makes_none");
    op.check(credential, await getUserEntry(deps.kv, actor.id));
    putApiToken(op, hash, row, now);
    const event = { ...eventOf(actor, row), action: "token_created" };
    await recordChange(op, deps, actor, event, { before: null, after: changedOf(row) });
  });
  return { ...tokenView(row, now), id: text };
}

function requireFuture(expires_at: string | null, now: Date): void {
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) {
    throw invalidField("expires_at", "errors.time_passed");
  }
}

/** Returns the limits that were sent. Throws 400 for projects that the person does not see. */
async function limitsFor(
  { deps, actor }: UserScope,
  sent: SentLimits,
): Promise<TokenLimits | undefined> {
  const limits = checkedLimits(sent);
  for (const projectId of limits?.project_ids ?? []) {
    if (!await findMembership(deps.kv, actor, projectId)) {
      throw invalidField("project_ids", "errors.token_no_project", { id: projectId });
    }
  }
  return limits;
}

/**
 * Changes a token, which stays the same text. Open streams of it end, so that they do not keep what
 * it has lost. Only sessions may, because a token could widen itself.
 */
export async function updateToken(
  { deps, actor, userId }: AccountScope,
  id: string,
  form: TokenChangeForm,
): Promise<void> {
  requireSession(actor);
  const now = deps.clock.now();
  const user = await getUserRow(deps.kv, userId);
  const { hash } = await findToken(deps.kv, userId, id);
  await transact(deps.kv, async (op) => {
    const entry = await deps.kv.get<ApiTokenRow>(rowKeys.apiToken(hash));
    if (!entry.value) throw notFound();
    const { limits: before, ...row } = entry.value;
    const sent = Object.fromEntries(
      Object.entries(form).filter(([, value]) => value !== undefined),
    ) as Partial<TokenChangeForm>;
    const limits = await limitsFor({ deps, actor }, { ...before, ...sent });
    const { name = row.name, expires_at = row.expires_at, may_make_tokens } = sent;
    const changed: ApiTokenRow = {
      ...row,
      name: name ?? "",
      expires_at: expires_at && new Date(expires_at).toISOString(),
      may_make_tokens: may_make_tokens ?? row.may_make_tokens,
      ...limits && { limits },
    };
    if (changed.expires_at !== row.expires_at) requireFuture(changed.expires_at, now);
    op.check(entry);
    putApiToken(op, hash, changed, now);
    const states = { before: changedOf(entry.value), after: changedOf(changed) };
    const event = { ...eventOf(user, changed), action: "token_changed" };
    await recordChange(op, deps, actor, event, states);
  });
  await accessChanged(deps, { project_id: null, user_id: userId });
}

/** Throws 404 unless the account has the token. */
export async function requireToken({ deps, userId }: AccountScope, id: string): Promise<void> {
  await findToken(deps.kv, userId, id);
}

/** Returns a token of an account, named by its first letters or by all of them. */
async function findToken(kv: Store, userId: number, id: string) {
  const tokens = await listApiTokens(kv, userId);
  const found = tokens.find(({ row }) => row.prefix === id.slice(0, PREFIX_LENGTH));
  if (!found) throw notFound();
  return found;
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
  await endToken({ deps, actor }, userId, id);
}

/** Ends a token of one's own. A token may end itself, whatever its scopes are. */
export async function deleteOwnToken(scope: UserScope, id: string): Promise<void> {
  const { actor } = scope;
  const isItself = actor.credential.tokenId === id.slice(0, PREFIX_LENGTH);
  if (isItself) await endToken(scope, actor.id, id);
  else await deleteToken(openAccount(scope, actor.id), id);
}

async function endToken({ deps, actor }: UserScope, userId: number, id: string): Promise<void> {
  const user = await getUserRow(deps.kv, userId);
  const found = await findToken(deps.kv, userId, id);
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

/** Returns the part of a token that people choose, for events. */
const changedOf = ({ name, expires_at, may_make_tokens, limits }: ApiTokenRow): object => ({
  name,
  expires_at,
  may_make_tokens,
  ...limits ?? UNLIMITED,
});

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
  const { scopes, project_ids, template_ids, networks } = row.limits ?? UNLIMITED;
  return {
    id: prefix,
    name,
    created,
    expires_at,
    expired: !isUsable(row, now),
    last_used,
    last_address: row.last_address ?? null,
    user_id,
    may_make_tokens,
    scopes: scopes && [...scopes],
    project_ids: project_ids && [...project_ids],
    template_ids: template_ids && [...template_ids],
    networks: networks && [...networks],
  };
}
