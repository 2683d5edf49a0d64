import type { AlertMessage } from "../message.ts";
import { escapeHtml, htmlLink } from "../text.ts";
import { SIGNS } from "../moods.ts";
import { addressBelow, type HttpKind, type OutgoingRequest, postOf } from "./kind.ts";

/** A bot: https://core.telegram.org/bots/api#sendmessage */
export const telegram: HttpKind = {
  fields: [
    { name: "token", secret: true, required: true },
    { name: "chat", required: true },
    { name: "thread" },
    { name: "server", type: "url", fallback: "https://api.telegram.org" },
  ],
  request: ({ server, token, chat, thread }, { message }) =>
    telegramRequest({ server, token, chat, thread: Number(thread) || 0 }, message),
};

interface Chat {
  server: string;
  token: string;
  chat: string;
  /** Number of the topic in a forum; 0 for none. */
  thread?: number;
}

/** Returns the request that sends a message to one chat. */
export const telegramRequest = (
  { server, token, chat, thread }: Chat,
  message: AlertMessage,
): OutgoingRequest =>
  postOf(addressBelow(server, `/bot${token}/sendMessage`), {
    chat_id: chat,
    ...thread && { message_thread_id: thread },
    text: telegramText(message),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });

/** Characters of the facts in a message, which has at most 4096. Escapes take up to six. */
const VALUE_MAX = 300;

/** Returns the message in Telegram's HTML, which has few tags. Everything else is escaped. */
function telegramText({ title, mood, facts, url }: AlertMessage): string {
  const lines = [
    `${SIGNS[mood]} <b>${escapeHtml(title)}</b>`,
    ...facts.map(({ label, value, url }) =>
      `${escapeHtml(label)}: ${htmlLink(value.slice(0, VALUE_MAX), url)}`
    ),
  ];
  if (url) lines.push(htmlLink(url, url));
  return lines.join("\n");
}
