import type { Channel } from "../channel.ts";
import { telegramRequest } from "../kinds/telegram.ts";
import { postJson } from "../post_json.ts";

/** Sends messages of a Telegram bot to one chat. */
export const telegramChannel: Channel = {
  kind: "telegram",
  isSetUp: ({ telegramToken }) => telegramToken !== null,
  target: ({ telegramChat }, { alert_chat }) => alert_chat || telegramChat,
  send({ telegramUrl, telegramToken }, chat, message) {
    const token = telegramToken!;
    const { url, body } = telegramRequest({ server: telegramUrl, token, chat }, message);
    return postJson(url, { body, secrets: [token] });
  },
};
