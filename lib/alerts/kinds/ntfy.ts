import { factLines } from "../text.ts";
import { type HttpKind, postOf } from "./kind.ts";

/** Names of emojis: https://docs.ntfy.sh/emojis/ */
const TAGS = { good: "white_check_mark", bad: "x", question: "question", neutral: "bell" };

/** A topic, published as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: HttpKind = {
  fields: [
    { name: "topic", required: true },
    { name: "server", type: "url", fallback: "https://ntfy.sh" },
    { name: "token", secret: true },
  ],
  request: ({ server, topic, token }, { message }) =>
    postOf(server, {
      topic,
      title: message.title,
      message: factLines(message) || message.title,
      tags: [TAGS[message.mood]],
      priority: message.mood === "bad" ? 4 : 3,
      ...message.url && { click: message.url },
    }, token ? { Authorization: `Bearer ${token}` } : {}),
};
