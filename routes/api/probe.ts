import { answerProbe } from "@/lib/monitoring/checks/doctor.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { EVENT_STREAM, type ServerEvent } from "@/lib/http/server_event.ts";
import { requireHandshake } from "@/lib/web/api/handshake.ts";
import { onlyMethods } from "@/lib/web/api/methods.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { openStream } from "@/lib/web/event_stream.ts";

/** A proxy that buffers passes on the first event at most before the end. */
const EVENTS = 5;
const PAUSE_MS = 250;

export const handler = onlyMethods({
  /** Answers a check-up as it asks: with JSON, a short event stream or a web socket. */
  async GET(ctx) {
    const { req: { headers }, state: { deps }, url: { origin } } = ctx;
    const address = clientAddress(deps.config, headers, ctx.info.remoteAddr);
    const answer = await answerProbe(deps, { headers, origin, address });
    if (headers.get("upgrade")?.toLowerCase() === "websocket") {
      requireHandshake(headers);
      return ctx.upgrade({ open: (socket) => socket.close() });
    }
    if (headers.get("accept") !== EVENT_STREAM) return Response.json(answer);
    return openStream(ctx, follow, { events: (event) => [event], isPublic: true });
  },
});

async function* follow(gone: AbortSignal): AsyncGenerator<ServerEvent> {
  for (let n = 0; n < EVENTS; n++) {
    yield {};
    await sleep(PAUSE_MS, { signal: gone });
  }
}
