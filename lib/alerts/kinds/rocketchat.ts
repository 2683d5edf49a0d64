import { COLORS } from "../moods.ts";
import { type HttpKind, markdownLink, postOf, WEBHOOK_URL, withoutMarkup } from "./kind.ts";

/** An incoming webhook: https://docs.rocket.chat/docs/integrations */
export const rocketchat: HttpKind = {
  fields: [WEBHOOK_URL, { name: "channel" }],
  request: ({ url, channel }, { message: { title, mood, facts, url: link } }) =>
    postOf(url, {
      ...channel && { channel },
      text: withoutMarkup(title),
      attachments: [{
        title: withoutMarkup(title),
        color: COLORS[mood],
        ...link && { title_link: link },
        fields: facts.map(({ label, value, url }) => ({
          title: withoutMarkup(label),
          value: markdownLink(withoutMarkup(value), url),
          short: value.length < 40,
        })),
      }],
    }),
};
