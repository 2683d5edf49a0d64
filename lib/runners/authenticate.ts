import type { PublicDeps } from "../access/deps.ts";
import { bearerOf } from "../access/bearer_tokens.ts";
import { AppError } from "../base/errors.ts";
import { plainNumber } from "../base/text/plain_number.ts";
import { transact } from "../store/transact.ts";
import type { Store } from "../store/store.ts";
import { FINAL_CODES, PROTOCOL, PROTOCOL_HEADER } from "../runner/protocol.ts";
import { findRunner, getRunnerEntry, putRunner } from "./repository.ts";
import type { RunnerRow } from "./rows.ts";
import { claimedId, isToken } from "./tokens.ts";

/**
 * Returns the runner whose token the request has. Throws 401 for every other request, always after
 * the same work. The first use of a rotated token ends the one before.
 */
export async function authenticateRunner(
  { kv }: PublicDeps,
  headers: Headers,
): Promise<RunnerRow> {
  const text = bearerOf(headers) ?? "";
  const row = await findRunner(kv, claimedId("runner", text) ?? 0);
  const isCurrent = isToken(text, row?.token_hash);
  const isNext = isToken(text, row?.next_token_hash);
  if (row && isCurrent) return row;
  if (row && isNext) return await useNextToken(kv, row);
  throw unknownRunner();
}

/** Replaces the token of a runner by its rotated one. */
const useNextToken = (kv: Store, { id, next_token_hash }: RunnerRow): Promise<RunnerRow> =>
  transact(kv, async (op) => {
    const entry = await getRunnerEntry(kv, id);
    const row = entry.value;
    if (row.token_hash === next_token_hash) return row; // another request was faster
    if (row.next_token_hash !== next_token_hash) throw unknownRunner();
    const changed = { ...row, token_hash: next_token_hash, next_token_hash: null };
    putRunner(op.check(entry), changed);
    return changed;
  });

/** 401: no runner has this token. It may have been revoked. */
export const unknownRunner = () =>
  new AppError(401, "errors.runners.unknown", {}, { body: { code: FINAL_CODES.revoked } });

/** 409: a newer process has the runner's token. */
export const replacedRunner = () =>
  new AppError(409, "errors.runners.replaced", {}, { body: { code: FINAL_CODES.replaced } });

/** 429: a runner calls too often. */
export function tooManyCalls(seconds: number): AppError {
  const headers = { "Retry-After": String(seconds) };
  return new AppError(429, "errors.runners.rate_limit", { seconds }, { headers });
}

/** Whether a runner speaks this version of the protocol, or the one before. */
export function speaksProtocol(headers: Headers): boolean {
  const version = plainNumber(headers.get(PROTOCOL_HEADER)) ?? 0;
  return version >= 1 && (version === PROTOCOL || version === PROTOCOL - 1);
}

/** Throws 426 unless a runner speaks this version of the protocol, or the one before. */
export function requireProtocol(headers: Headers): void {
  if (!speaksProtocol(headers)) throw new AppError(426, "errors.runners.protocol");
}
