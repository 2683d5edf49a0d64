import { factLines } from "../text.ts";
import { type HttpKind, postOf } from "./kind.ts";

/** Names of emojis: https://docs.ntfy.sh/emojis/ */
const TAGS = { good: "white_check_mark", bad: "x", question: "question", neutral: "bell" };

/** Bytes of a message. A server keeps a longer one as a file, or refuses it. */
const MESSAGE_BYTES_MAX = 4096;

/** Returns the beginning of a text that has at most `max` bytes. */
function inBytes(text: string, max: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}

/** A topic, published as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: HttpKind = {
  fields: [
    { name: "topic", required: true },
    { name: "server", type: "url", fallback: "https://ntfy.sh" },
    { name: "token", secret: true, inHeader: true },
  ],
  request: ({ server, topic, token }, { message }) =>
    postOf(server, {
      topic,
      title: message.title,
      message: inBytes(factLines(message) || message.title, MESSAGE_BYTES_MAX),
      tags: [TAGS[message.mood]],
      priority: message.mood === "bad" ? 4 : 3,
      ...message.url && { click: message.url },
    }, token ? { Authorization: `Bearer ${token}` } : {}),
};
