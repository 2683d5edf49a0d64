import { sightOf, type Viewer } from "../sight.ts";
import { onceFor } from "../../base/once_for.ts";

/**
 * Caches the result of `make` for each cause, once for all readers who see the same. Used where
 * many of them receive the same result of one change.
 */
export function onceForSeen<Cause extends object, Scope extends Viewer, Made>(
  make: (cause: Cause, scope: Scope) => Promise<Made>,
): (cause: Cause, scope: Scope) => Promise<Made> {
  const madeOf = onceFor((_: Cause) => new Map<string, Promise<Made>>());
  return async (cause, scope) => {
    const { readers } = await sightOf(scope);
    const known = madeOf(cause);
    const making = known.get(readers) ?? make(cause, scope);
    known.set(readers, making);
    return await making;
  };
}
