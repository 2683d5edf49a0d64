import type { UserActor } from "../access/actor.ts";
import { askAgain } from "../access/authenticate.ts";
import { rememberedSight } from "../access/still_may_see.ts";
import type { Deps } from "../access/deps.ts";
import type { LiveMessage } from "../base/hub.ts";

type SocketMessage = Exclude<LiveMessage, { type: "gone" | "results" }>;

/** Bytes that wait for a slow reader, or for an answer about rights, before a socket is closed. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** Of a message, beside its lines. */
const MESSAGE_BYTES = 200;

/**
 * Sends the project messages that `actor` may see *now*, as the API's clients expect them: `update`
 * for each change of a task, `log` for each line. Returns what ends it.
 *
 * A reader who is too slow is closed out with 1013, and told from where the API has the rest.
 */
export function serveSocket(deps: Deps, actor: UserActor, socket: WebSocket): () => void {
  const visible = new Map<number, ReturnType<typeof rememberedSight>>();
  const queue: SocketMessage[] = [];
  let queuedBytes = 0;

  const maySee = (projectId: number) => {
    const sight = visible.get(projectId) ?? rememberedSight({ deps, actor, projectId });
    visible.set(projectId, sight);
    return sight.maySee();
  };

  async function deliver(message: SocketMessage) {
    if (message.type === "access") {
      visible.clear();
      if (!await askAgain(deps, actor, 0)) end(4401, "signed out");
      return;
    }
    if (socket.readyState !== WebSocket.OPEN || !await maySee(message.project_id)) return;
    if (socket.bufferedAmount > WAITING_BYTES_MAX) return end(1013, whereToReadOn(message));
    for (const text of texts(message)) socket.send(text);
  }

  /** One after the other: asking for the rights must not reorder lines. */
  async function deliverAll() {
    for (let message = queue[0]; message; message = queue[0]) {
      await deliver(message);
      queuedBytes -= bytesOf(message);
      queue.shift();
    }
  }

  function end(code: number, reason?: string) {
    unsubscribe();
    queue.length = 0;
    socket.close(code, reason);
  }

  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === "gone" || message.type === "results") return; // clients know nothing of it
    queue.push(message);
    queuedBytes += bytesOf(message);
    if (queuedBytes > WAITING_BYTES_MAX) end(1013, whereToReadOn(queue[0]));
    else if (queue.length === 1) deliverAll().catch(() => end(1011));
  });
  return unsubscribe;
}

const bytesOf = (message: SocketMessage): number =>
  message.type !== "log"
    ? MESSAGE_BYTES
    : message.records.reduce((sum, { output }) => sum + MESSAGE_BYTES + output.length, 0);

/** The first thing that was not sent; a close reason takes 123 bytes. */
function whereToReadOn(message: SocketMessage): string {
  if (message.type === "access") return "too slow";
  const line = message.type === "log" ? `, after line ${message.records[0].id - 1}` : "";
  return `too slow: read on at task ${message.task_id}${line}`;
}

function texts(message: Exclude<SocketMessage, { type: "access" }>): string[] {
  if (message.type === "update") return [JSON.stringify(message)];
  const { type, project_id, task_id } = message;
  return message.records.map(({ id, time, output }) =>
    JSON.stringify({ type, project_id, task_id, id, time, output })
  );
}
