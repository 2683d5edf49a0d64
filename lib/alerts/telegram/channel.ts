import type { Channel } from "../channel.ts";
import { type AlertMessage, escapeHtml } from "../message.ts";
import { postJson } from "../post_json.ts";

const SIGNS: Record<AlertMessage["mood"], string> = {
  good: "✅",
  bad: "❌",
  question: "❓",
  neutral: "🔔",
};

/** Sends messages of a Telegram bot to one chat. */
export const telegramChannel: Channel = {
  kind: "telegram",
  isSetUp: ({ telegramToken }) => telegramToken !== null,
  target: ({ telegramChat }, { alert_chat }) => alert_chat || telegramChat,
  send({ telegramUrl, telegramToken }, chat, message) {
    const token = telegramToken!;
    const url = `${telegramUrl.replace(/(?<!\/)\/+$/, "")}/bot${token}/sendMessage`;
    const body = JSON.stringify({
      chat_id: chat,
      text: telegramText(message),
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    });
    return postJson(url, { body, secrets: [token] });
  },
};

/** Returns the message in Telegram's HTML, which has few tags. Everything else is escaped. */
function telegramText({ title, mood, facts, url }: AlertMessage): string {
  const lines = [
    `${SIGNS[mood]} <b>${escapeHtml(title)}</b>`,
    ...facts.map(({ label, value }) => `${escapeHtml(label)}: ${escapeHtml(value)}`),
  ];
  if (url) lines.push(`<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`);
  return lines.join("\n");
}
