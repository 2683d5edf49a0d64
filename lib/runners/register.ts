import type { SystemActor } from "../access/actor.ts";
import type { Deps, PublicDeps } from "../access/deps.ts";
import { AppError, invalidField } from "../base/errors.ts";
import { networkOf } from "../base/network.ts";
import { recordEvent } from "../events/record.ts";
import { guardProject } from "../store/guard_project.ts";
import { nextId } from "../store/ids.ts";
import { rowKeys } from "../store/keys.ts";
import { takeCall } from "../store/limiters/bucket.ts";
import { transact } from "../store/transact.ts";
import type * as z from "zod";
import type { registerAnswerSchema, registerRequestSchema } from "../runner/protocol.ts";
import { isUsableKey } from "../runner/seal.ts";
import { authenticateRunner, requireProtocol, tooManyCalls } from "./authenticate.ts";
import { runnerEvent } from "./events.ts";
import { newRunner } from "./new_runner.ts";
import type { RunnerSession } from "./presence.ts";
import {
  findRunnerEntry,
  findRunnerToken,
  getRunnerEntry,
  insertRunner,
  putRunner,
  putRunnerToken,
} from "./repository.ts";
import type { RunnerRow } from "./rows.ts";
import { claimedId, isToken, newRunnerToken } from "./tokens.ts";

type RegisterRequest = z.output<typeof registerRequestSchema>;
type RegisterAnswer = z.output<typeof registerAnswerSchema>;

interface Caller {
  headers: Headers;
  /** The address that the request came from. */
  address: string;
}

/** Throws 426 unless a program that registers speaks the protocol. Its token is in the body. */
export const requireSpokenProtocol = (_deps: PublicDeps, headers: Headers): void =>
  requireProtocol(headers);

/**
 * Exchanges a registration token for the long-lived token of a runner. A reusable token creates the
 * runner. Throws 401 for a token that is unknown, used or expired, 426 for another version of the
 * protocol, and 429 after too many calls.
 */
export async function registerRunner(
  deps: PublicDeps,
  { headers, address }: Caller,
  request: RegisterRequest,
): Promise<RegisterAnswer> {
  requireProtocol(headers);
  if (!await isUsableKey(request.public_key)) throw invalidField("public_key", "errors.invalid");
  limitCalls(deps, networkOf(address));
  const id = claimedId("once", request.token);
  const registered = id === null
    ? await registerNew(deps, request)
    : await registerKnown(deps, id, request);
  deps.wakeDispatcher();
  return registered;
}

/** Limits calls that store something, of an address or of a runner. */
function limitCalls({ kv, clock }: Deps, caller: string): void {
  const seconds = takeCall(kv, `runner ${caller}`, clock.ticks());
  if (seconds > 0) throw tooManyCalls(seconds);
}

const refused = (key: "unknown_token" | "used_token" | "expired_token") =>
  new AppError(401, `errors.runners.${key}`);

/**
 * Registers the runner that a one-time token is for, whose earlier token ends. A program whose
 * answer was lost may exchange the token again with the same key, until the runner's first poll.
 */
async function registerKnown(
  deps: Deps,
  id: number,
  { token, public_key, facts }: RegisterRequest,
): Promise<RegisterAnswer> {
  const { text, hash } = newRunnerToken("runner", id);
  return await transact(deps.kv, async (op) => {
    const entry = await findRunnerEntry(deps.kv, id);
    const registration = entry?.value.registration ?? null;
    if (!isToken(token, registration?.hash) || !entry || !registration) {
      throw refused("unknown_token");
    }
    if (registration.used) {
      const session = await deps.kv.get<RunnerSession>(rowKeys.runnerSession(id));
      op.check(session);
      const registered = Date.parse(entry.value.registered ?? "");
      const hasPolled = session.value !== null && session.value.session_at >= registered;
      const isSame = entry.value.public_key === public_key;
      if (hasPolled || !isSame) throw refused("used_token");
    }
    const now = deps.clock.now().toISOString();
    if (registration.until <= now) throw refused("expired_token");
    const row: RunnerRow = {
      ...entry.value,
      public_key,
      facts,
      token_hash: hash,
      next_token_hash: null,
      registration: { ...registration, used: true },
      registered: now,
    };
    if (row.project_id !== null) await guardProject(deps.kv, op, row.project_id);
    putRunner(op.check(entry), row);
    recordEvent(op, deps, runnerActor(row), runnerEvent(row, "registered"));
    return { runner_id: id, name: row.name, token: text };
  });
}

/** Creates and registers a runner with a reusable token. */
async function registerNew(
  deps: Deps,
  { token, public_key, facts, name }: RegisterRequest,
): Promise<RegisterAnswer> {
  const { kv, clock } = deps;
  const tokenId = claimedId("reusable", token) ?? 0;
  const isKnown = isToken(token, (await findRunnerToken(kv, tokenId))?.value.hash);
  if (!isKnown) throw refused("unknown_token");
  const id = await nextId(kv, "runners");
  const { text, hash } = newRunnerToken("runner", id);
  return await transact(kv, async (op) => {
    const entry = await findRunnerToken(kv, tokenId);
    if (!entry) throw refused("unknown_token");
    const { uses, uses_max, expires_at } = entry.value;
    const now = clock.now().toISOString();
    if (expires_at !== null && expires_at <= now) throw refused("expired_token");
    if (uses_max > 0 && uses >= uses_max) throw refused("used_token");
    const row: RunnerRow = {
      ...newRunner(id, { ...entry.value, name, description: "" }, now),
      public_key,
      facts,
      token_hash: hash,
      registered: now,
      ...entry.value.one_off && { one_off: true },
    };
    await insertRunner(kv, op, row);
    putRunnerToken(op.check(entry), { ...entry.value, uses: uses + 1, last_used: now });
    recordEvent(op, deps, runnerActor(row), {
      ...runnerEvent(row, "registered_with"),
      params: { token: entry.value.name },
    });
    return { runner_id: id, name, token: text };
  });
}

/**
 * Creates another token for a runner, which ends the current one when it is first used. If the
 * answer is lost, the runner still has a valid token.
 */
export async function rotateToken(
  deps: PublicDeps,
  { headers }: Pick<Caller, "headers">,
): Promise<{ token: string }> {
  requireProtocol(headers);
  const { id, token_hash } = await authenticateRunner(deps, headers);
  limitCalls(deps, `${id}`);
  const { text, hash } = newRunnerToken("runner", id);
  return await transact(deps.kv, async (op) => {
    const entry = await getRunnerEntry(deps.kv, id);
    // Revoked, or registered again, after it was authenticated.
    if (entry.value.token_hash !== token_hash) throw refused("unknown_token");
    const row: RunnerRow = { ...entry.value, next_token_hash: hash };
    putRunner(op.check(entry), row);
    recordEvent(op, deps, runnerActor(row), runnerEvent(row, "token_rotated"));
    return { token: text };
  });
}

/** The server itself, which records what a runner did. */
const runnerActor = ({ id, project_id }: RunnerRow): SystemActor => ({
  kind: "server",
  id,
  projectId: project_id ?? 0,
});
