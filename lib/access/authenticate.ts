import { type Membership, membershipOf } from "./scope.ts";
import type { Deps } from "./deps.ts";
import { getCookies } from "../http/cookies.ts";
import { rowKeys } from "../store/keys.ts";
import { getRecent } from "../store/rows/recent_rows.ts";
import type { Store } from "../store/store.ts";
import type { UserActor } from "./actor.ts";
import { type ApiTokenRow, isUsable, touchApiToken } from "./api_tokens.ts";
import type { MaintenanceRow } from "./maintenance.ts";
import { bearerOf, type Claim, claimOf, hashToken } from "./bearer_tokens.ts";
import {
  projectTokenKeys,
  type ProjectTokenRow,
  type ProjectTokenRows,
  tokenActor,
  touchProjectToken,
  worksNow,
} from "./tokens/project_tokens.ts";
import type { MemberRow, ProjectRow } from "../model/project_row.ts";
import type { TokenLimits } from "../model/token_limits.ts";
import { mustCheckRules, type RuleWordsRow } from "./rule_words.ts";
import { findRole } from "./roles.ts";
import { isAlive, SESSION_COOKIE, type SessionRow, touchSession } from "./sessions.ts";
import { requireNetwork } from "./token_networks.ts";
import { hasScope } from "./token_scopes.ts";
import type { UserRow } from "../model/account_row.ts";

type Credential = UserActor["credential"];
/** Fields of a user's row that become part of the actor. */
type Account = Omit<UserActor, "kind" | "credential">;

/** The sender of a request, and their membership in the requested project; null without one. */
interface Asker {
  actor: UserActor;
  membership: Membership | null;
  /** Whether they can do nothing but set up a second factor. */
  mustEnrol: boolean;
  /** Whether rights that group rules granted may have expired. */
  mustCheckRules: boolean;
  /** Changes with the names of accounts: see `namePersonAt`. */
  namesVersion: string | null;
  /** Maintenance as it is stored; its end may have passed. */
  maintenance: MaintenanceRow | null;
}

/**
 * Returns the sender of a request, by API token or else by session cookie, and their membership in
 * a project (0 for none). All of it is as of one moment, in one read. Returns null for an unknown
 * sender. Throws 403 for a token that may not be used from the address.
 */
export async function authenticate(
  deps: Deps,
  req: Request,
  projectId: number,
  address: string,
): Promise<Asker | null> {
  const bearer = bearerOf(req.headers);
  const text = bearer ?? getCookies(req.headers)[SESSION_COOKIE];
  const claim = text ? claimOf(text) : null;
  if (!text || claim === null) return null;
  const asked = { projectId, address };
  if (claim.projectId !== null) {
    return bearer === null ? null : await findTokenAsker(deps, claim, hashToken(text), asked);
  }
  const kind = bearer === null ? "session" : "token";
  return await findAsker(deps, claim.userId, { kind, hash: hashToken(text) }, asked);
}

/**
 * Returns the same for `actor` as of now; null when the session or token has ended, or the token is
 * limited otherwise than it was. Streams and sockets need it because they outlive their request.
 */
export async function askAgain(
  deps: Deps,
  actor: UserActor,
  projectId: number,
): Promise<Asker | null> {
  const asked = { projectId, address: actor.client?.address };
  const { ofProject, hash } = actor.credential;
  const asker = ofProject
    ? await findTokenAsker(
      deps,
      { userId: ofProject.creatorId, projectId: ofProject.id },
      hash,
      asked,
    )
    : await findAsker(deps, actor.id, actor.credential, asked);
  return asker && isLimitedAs(actor, asker.actor.credential.limits) ? asker : null;
}

/** Whether the token of an actor had these limits when its request arrived. */
export const isLimitedAs = ({ credential }: UserActor, limits?: TokenLimits): boolean =>
  credential.limits === limits || JSON.stringify(credential.limits) === JSON.stringify(limits);

/**
 * Returns the row of the session or token that `actor` uses. Its versionstamp is null after the
 * session or token has ended.
 */
export const getCredential = (kv: Store, { credential: { kind, hash } }: UserActor) =>
  kv.get<SessionRow | ApiTokenRow>(
    kind === "session" ? rowKeys.session(hash) : rowKeys.apiToken(hash),
  );

/** The request of a credential: the project it is about, and the address it came from. */
interface Asked {
  projectId: number;
  address: string | undefined;
}

/** Returns the asker of a token of a project, with the membership in that project alone. */
async function findTokenAsker(
  deps: Deps,
  { userId, projectId: ownId }: Claim,
  hash: string,
  { projectId, address }: Asked,
): Promise<Asker | null> {
  const [held, user, member, project, words, names, maintenance, rules] = await getRecent<
    [...ProjectTokenRows, ProjectRow, RuleWordsRow, unknown, MaintenanceRow, unknown]
  >(deps.kv, [
    ...projectTokenKeys(ownId!, userId, hash),
    rowKeys.project(ownId!),
    rowKeys.ruleWords(userId),
    rowKeys.usersStamp(),
    rowKeys.maintenance(),
    rowKeys.accessRulesStamp(ownId!),
  ]);
  const row = held.value;
  const now = deps.clock.now();
  if (!row || row.creator.user_id !== userId || !project.value || project.value.deleting) {
    return null;
  }
  if (!await worksNow(deps.kv, row, user.value, member.value, now)) return null;
  if (address !== undefined) requireNetwork(row.limits, address);
  await touchProjectToken(deps.kv, held as Deno.KvEntry<ProjectTokenRow>, now, address);
  const actor = tokenActor(row, hash);
  return {
    actor,
    membership: projectId === ownId
      ? membershipOf(actor, project.value, null, rules.versionstamp)
      : null,
    mustEnrol: false,
    mustCheckRules: !row.kept && mustCheckRules(words.value, now, deps.config.groupRulesDays),
    namesVersion: names.versionstamp,
    maintenance: maintenance.value,
  };
}

async function findAsker(
  deps: Deps,
  userId: number,
  { kind, hash }: Credential,
  { projectId, address }: Asked,
): Promise<Asker | null> {
  const [held, user, project, member, words, names, maintenance, rules] = await getRecent<
    [
      SessionRow | ApiTokenRow,
      UserRow,
      ProjectRow,
      MemberRow,
      RuleWordsRow,
      unknown,
      MaintenanceRow,
      unknown,
    ]
  >(deps.kv, [
    kind === "session" ? rowKeys.session(hash) : rowKeys.apiToken(hash),
    rowKeys.user(userId),
    rowKeys.project(projectId),
    rowKeys.member(projectId, userId),
    rowKeys.ruleWords(userId),
    rowKeys.usersStamp(),
    rowKeys.maintenance(),
    rowKeys.accessRulesStamp(projectId),
  ]);
  if (held.value?.user_id !== userId || !user.value) return null;
  const role = member.value && await findRole(deps.kv, projectId, member.value.role);
  if (!await use(deps, kind, held as Deno.KvEntry<SessionRow | ApiTokenRow>, address)) return null;
  const token = kind === "token" ? held.value as ApiTokenRow : null;
  const { id, username, name, admin, external, language, timezone } = user.value;
  const account: Account = { id, username, name, admin, external, language, timezone };
  const actor: UserActor = {
    kind: "user",
    ...account,
    admin: admin && hasScope(token?.limits ?? null, "admin"),
    credential: { kind, hash, ...token && ofToken(token, admin) },
  };
  return {
    actor,
    membership: membershipOf(
      actor,
      project.value,
      member.value,
      rules.versionstamp,
      role?.value,
    ),
    mustEnrol: deps.config.secondFactorRequired && kind === "session" && !user.value.second_factor,
    mustCheckRules: mustCheckRules(words.value, deps.clock.now(), deps.config.groupRulesDays),
    namesVersion: names.versionstamp,
    maintenance: maintenance.value,
  };
}

/** Returns the parts of a token that its actor keeps. */
const ofToken = (
  { prefix, may_make_tokens, limits }: ApiTokenRow,
  admin: boolean,
): Partial<Credential> => ({
  tokenId: prefix,
  ...may_make_tokens && { makesTokens: true },
  ...limits && { limits },
  ...limits && admin && { ofAdmin: true },
});

/** Whether the session or token is still valid. If so, its use is recorded. */
async function use(
  { kv, clock }: Deps,
  kind: Credential["kind"],
  entry: Deno.KvEntry<SessionRow | ApiTokenRow>,
  address: string | undefined,
): Promise<boolean> {
  const now = clock.now();
  if (kind === "session") {
    const session = entry as Deno.KvEntry<SessionRow>;
    if (!isAlive(session.value, now)) return false;
    await touchSession(kv, session, now);
  } else {
    const token = entry as Deno.KvEntry<ApiTokenRow>;
    if (!isUsable(token.value, now)) return false;
    const { limits } = token.value;
    if (limits && address !== undefined) requireNetwork(limits, address);
    await touchApiToken(kv, token, now, address);
  }
  return true;
}
