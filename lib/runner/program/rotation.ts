import * as z from "zod";
import { conceal, type Secret } from "../../base/secret.ts";
import type { Log } from "../../base/log.ts";
import { failureOf, type ServerConnection, type Target } from "./connection.ts";

/** Age at which a token is replaced. */
const TOKEN_MS_MAX = 30 * 24 * 3_600_000;
/** Time until the next attempt after one that failed. */
const RETRY_MS = 3_600_000;
const LIMIT_MS = 10_000;

const answerSchema = z.object({ token: z.string().min(1) });

export interface TokenKeeper {
  /** Time when the current token was issued, in milliseconds; 0 if this is not known. */
  issued: number;
  /** Stores a token durably, before it is used. */
  keep(token: Secret): Promise<void>;
}

interface RotationOptions {
  connection: ServerConnection;
  /** Its token is replaced. */
  target: Target;
  tokens: TokenKeeper;
  log: Log;
}

/**
 * Returns a function that replaces the runner's token once it is old. The server accepts the
 * earlier token until the new one is first used, so that a process that ends at any point leaves a
 * valid token in the file.
 */
export function createRotation({ connection, target, tokens, log }: RotationOptions) {
  let dueAt = tokens.issued + TOKEN_MS_MAX;
  return async (): Promise<void> => {
    if (Date.now() < dueAt) return;
    try {
      const limits = { limitMs: LIMIT_MS };
      const answer = await connection.post("/api/runner/token", "{}", answerSchema, limits);
      const token = conceal(answer.token);
      await tokens.keep(token);
      target.token = token;
      dueAt = Date.now() + TOKEN_MS_MAX;
      log("info", "runner_token_replaced");
    } catch (error) {
      dueAt = Date.now() + RETRY_MS;
      log("warn", "runner_token_kept", { why: failureOf(error) });
    }
  };
}
