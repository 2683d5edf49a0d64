import { COLORS } from "../moods.ts";
import { type HttpKind, markdownLink, postOf, WEBHOOK_URL } from "./kind.ts";

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
        fields: facts.map(({ label, value, url }) => ({
          title: label,
          value: markdownLink(value, url),
          short: value.length < 40,
        })),
      }],
    }),
};
