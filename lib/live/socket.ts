import { askAgain } from "../access/authenticate.ts";
import { rememberedSight } from "../access/still_may_see.ts";
import type { UserScope } from "../access/scope.ts";
import type { Permission } from "../access/permissions.ts";
import type { LiveMessage } from "../base/hub.ts";

type SocketMessage = Exclude<LiveMessage, { type: "gone" | "results" | "workflow" }>;
type Access = { type: "access" };

/**
 * Maximum number of bytes that wait for a slow reader, or for a permission check, before a socket
 * is closed.
 */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** Approximate bytes of a message besides its lines. */
const MESSAGE_BYTES = 200;

/**
 * Sends the project messages that the caller may see *now*, in the format of API clients: `update`
 * for each change of a task, `log` for each line. Returns a function that ends it.
 * Disconnects a reader that is too slow with 1013, and states from where the API has the rest.
 */
export function serveSocket({ deps, actor }: UserScope, socket: WebSocket): () => void {
  const visible = new Map<number, ReturnType<typeof rememberedSight>>();
  const queue: SocketMessage[] = [];
  let queuedBytes = 0;

  const maySee = (
    { project_id: projectId, task_id }: Exclude<SocketMessage, Access>,
    permission?: Permission,
  ) => {
    const sight = visible.get(projectId) ?? rememberedSight({ deps, actor, projectId });
    visible.set(projectId, sight);
    return sight.maySeeTask(task_id, permission);
  };

  async function deliver(message: SocketMessage) {
    if (message.type === "access") {
      visible.clear();
      if (!await askAgain(deps, actor, 0)) end(4401, "signed out");
      return;
    }
    const permission = message.type === "log" ? "read_output" : undefined;
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!await maySee(message, permission)) return;
    if (socket.bufferedAmount > WAITING_BYTES_MAX) return end(1013, whereToReadOn(message));
    for (const text of texts(message)) socket.send(text);
  }

  /** Delivers one message after the other, because permission checks must not reorder lines. */
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
    // Not part of the API.
    if (message.type === "gone" || message.type === "results") return;
    if (message.type === "workflow") return;
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

/** Returns the first message that was not sent. A close reason can have 123 bytes. */
function whereToReadOn(message: SocketMessage): string {
  if (message.type === "access") return "too slow";
  const line = message.type === "log" ? `, after line ${message.records[0].id - 1}` : "";
  return `too slow: read on at task ${message.task_id}${line}`;
}

function texts(message: Exclude<SocketMessage, Access>): string[] {
  if (message.type === "update") return [JSON.stringify(message)];
  const { type, project_id, task_id } = message;
  return message.records.map(({ id, time, output }) =>
    JSON.stringify({ type, project_id, task_id, id, time, output })
  );
}
