import { userScope } from "@/lib/web/state.ts";
import { requireScope } from "@/lib/access/token_scopes.ts";
import { forbidden } from "@/lib/base/errors.ts";
import { requireHandshake } from "@/lib/web/api/handshake.ts";
import { onlyMethods } from "@/lib/web/api/methods.ts";
import { serveSocket } from "@/lib/live/socket.ts";

export const handler = onlyMethods({
  /** Sends live messages through `serveSocket`. Pages of other sites cannot open a socket. */
  GET(ctx) {
    const scope = userScope(ctx.state);
    requireScope(scope.actor, "read");
    const origin = ctx.req.headers.get("origin");
    const own = [ctx.url.origin, scope.deps.config.url?.origin];
    if (origin !== null && !own.includes(origin)) throw forbidden();
    requireHandshake(ctx.req.headers);
    let end = () => {};
    return ctx.upgrade({
      open(socket) {
        end = serveSocket(scope, socket);
      },
      close: () => end(),
      error: () => end(),
    });
  },
});
