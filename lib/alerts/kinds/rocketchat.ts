import { COLORS } from "../moods.ts";
import { type HttpKind, postOf, WEBHOOK_URL } from "./kind.ts";

/** An incoming webhook: https://docs.rocket.chat/docs/integrations */
export const rocketchat: HttpKind = {
  fields: [WEBHOOK_URL, { name: "channel" }],
  request: ({ url, channel }, { message: { title, mood, facts, url: link } }) =>
    postOf(url, {
      ...channel && { channel },
      text: title,
      attachments: [{
        title,
        color: COLORS[mood],
        ...link && { title_link: link },
        fields: facts.map(({ label, value }) => ({
          title: label,
          value,
          short: value.length < 40,
        })),
      }],
    }),
};
