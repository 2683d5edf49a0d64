import type { UserActor } from "../access/actor.ts";
import { refreshActor } from "../access/authenticate.ts";
import { stillMaySee } from "../access/still_may_see.ts";
import type { Deps } from "../deps.ts";
import type { LiveMessage } from "./hub.ts";

/** Bytes that wait for a slow reader before its socket is closed; it reconnects and reads on. */
const BUFFERED_MAX = 8 * 1024 * 1024;

/** How long an answer about rights holds where no message told of a change: by a script, say. */
const RECHECK_MS = 30_000;

/**
 * Sends the project messages that `actor` may see *now*, as the API's clients expect them: `update`
 * for each change of a task, `log` for each line. Returns what ends it.
 */
export function serveSocket(deps: Deps, actor: UserActor, socket: WebSocket): () => void {
  const visible = new Map<number, Promise<boolean>>();
  let askedAt = deps.clock.now().getTime();
  let sending: Promise<void> = Promise.resolve();

  const maySee = (projectId: number) => {
    const now = deps.clock.now().getTime();
    if (now - askedAt > RECHECK_MS) {
      visible.clear();
      askedAt = now;
    }
    const answer = visible.get(projectId) ?? stillMaySee(deps, actor, projectId);
    visible.set(projectId, answer);
    return answer;
  };

  async function deliver(message: LiveMessage) {
    if (message.type === "access") {
      visible.clear();
      if (!await refreshActor(deps, actor)) socket.close(4401, "signed out");
      return;
    }
    if (socket.readyState !== WebSocket.OPEN || !await maySee(message.project_id)) return;
    if (socket.bufferedAmount > BUFFERED_MAX) return socket.close(1013, "too slow");
    for (const text of texts(message)) socket.send(text);
  }

  return deps.live.subscribe((message) => {
    // One after the other: asking for the rights must not reorder lines.
    sending = sending.then(() => deliver(message)).catch(() => socket.close(1011));
  });
}

function texts(message: Exclude<LiveMessage, { type: "access" }>): string[] {
  if (message.type === "update") return [JSON.stringify(message)];
  const { type, project_id, task_id } = message;
  return message.records.map(({ id, time, output }) =>
    JSON.stringify({ type, project_id, task_id, id, time, output })
  );
}
