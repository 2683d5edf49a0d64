import type { PublicDeps } from "../../access/deps.ts";
import { onlyMethods } from "./methods.ts";
import { errorResponse, tellError } from "../translate_errors.ts";

/**
 * Answers GET with a JSON document that anyone may read, and keep for five minutes: a key that was
 * revoked is trusted no longer than that. Programs ask, so errors are JSON, too.
 */
export const publicDocument = (read: (deps: PublicDeps) => object | Promise<object>) =>
  onlyMethods({
    async GET({ state, req }) {
      try {
        const headers = { "Cache-Control": "public, max-age=300" };
        return Response.json(await read(state.deps), { headers });
      } catch (error) {
        return errorResponse(tellError(error, state), req);
      }
    },
  });
