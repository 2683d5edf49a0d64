import type * as z from "zod";
import type { PublicDeps } from "../../../access/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { exchangeToken, unregisterRunner } from "../../../runners/register.ts";
import { authenticateVisitor, type Caller, requireSemaphoreAccess } from "./door.ts";
import type { registrationSchema } from "./operations.ts";

/** More tasks than any runner runs. Their runners have no limit with 0. */
const SLOTS_MAX = 1_000;

/**
 * Registers a runner of Semaphore with a one-time or a reusable token. Throws 400 for a token that
 * is not valid, as Semaphore does.
 */
export async function registerSemaphoreRunner(
  deps: PublicDeps,
  { address, ...caller }: Caller & { address: string },
  { registration_token, name, max_parallel_tasks, public_key }: z.output<typeof registrationSchema>,
): Promise<{ token: string }> {
  requireSemaphoreAccess(deps, caller);
  if (public_key) throw new AppError(400, "errors.runners.semaphore_key");
  const facts = {
    version: "Semaphore",
    platform: "",
    ansible: null,
    isolation: "none",
    slots: Math.min(Math.max(0, max_parallel_tasks) || SLOTS_MAX, SLOTS_MAX),
  };
  const registered = exchangeToken(deps, address, {
    token: registration_token,
    name: name.trim().slice(0, 100) || "semaphore",
    public_key: null,
    wire: "semaphore",
    facts,
  });
  const { token } = await registered.catch((error) => {
    throw error instanceof AppError && error.status === 401 ? new AppError(400, error.key) : error;
  });
  return { token };
}

/** Ends the token of a runner. Its tasks end, too. */
export async function unregisterSemaphoreRunner(deps: PublicDeps, caller: Caller): Promise<void> {
  await unregisterRunner(deps, await authenticateVisitor(deps, caller));
  deps.wakeDispatcher();
}
