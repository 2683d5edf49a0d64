import type { AlertMessage } from "../message.ts";
import { escapeHtml, htmlLink } from "../text.ts";
import { SIGNS } from "../moods.ts";
import { addressBelow, type HttpKind, postOf, shortened, withoutMentions } from "./kind.ts";

/** A bot: https://core.telegram.org/bots/api#sendmessage */
export const telegram: HttpKind = {
  fields: [
    { name: "token", secret: true, required: true },
    { name: "chat", required: true },
    { name: "thread" },
    { name: "server", type: "url", fallback: "https://api.telegram.org" },
  ],
  request: ({ server, token, chat, thread }, { message }) =>
    // A slash in a token must not lead to another address.
    postOf(
      addressBelow(server, `/bot${token.replace(/[/?#\\%]/g, encodeURIComponent)}/sendMessage`),
      {
        chat_id: chat,
        // Number of the topic in a forum.
        ...Number(thread) && { message_thread_id: Number(thread) },
        text: telegramText(message),
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
      },
    ),
};

/** Characters of a fact's parts, and of all facts. A message has at most 4096 beside its tags. */
const PART_MAX = 300;
const FACTS_MAX = 3_400;

/** Returns the message in Telegram's HTML, which has few tags. Everything else is escaped. */
function telegramText({ title, mood, facts, url }: AlertMessage): string {
  let left = FACTS_MAX;
  const shown = facts.map(({ label, value, url }) => ({
    label: withoutMentions(shortened(label, PART_MAX)),
    value: withoutMentions(shortened(value, PART_MAX)),
    url,
  })).filter(({ label, value }) => (left -= label.length + value.length + 3) >= 0);
  const lines = [
    `${SIGNS[mood]} <b>${escapeHtml(withoutMentions(shortened(title, PART_MAX)))}</b>`,
    ...shown.map(({ label, value, url }) => `${escapeHtml(label)}: ${htmlLink(value, url)}`),
  ];
  if (url) lines.push(htmlLink(url, url));
  return lines.join("\n");
}
