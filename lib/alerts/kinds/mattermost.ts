import { COLORS } from "../moods.ts";
import { type HttpKind, markdownLink, postOf, WEBHOOK_URL, withoutMentions } from "./kind.ts";

/**
 * Escapes Markdown, which Mattermost reads in all texts of an attachment. It looks for mentions
 * after that, where an escape does not help.
 */
const escape = (text: string) => withoutMentions(text).replace(/[\\`*_{}[\]()#+!|<>~@:-]/g, "\\$&");

/**
 * An incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming/ with an
 * attachment: https://developers.mattermost.com/integrate/reference/message-attachments/
 */
export const mattermost: HttpKind = {
  fields: [WEBHOOK_URL, { name: "channel" }],
  request: ({ url, channel }, { message: { title, mood, facts, url: link } }) =>
    postOf(url, {
      ...channel && { channel },
      attachments: [{
        fallback: withoutMentions(title),
        color: COLORS[mood],
        title: escape(title),
        ...link && { title_link: link },
        fields: facts.map(({ label, value, url }) => ({
          title: escape(label),
          value: markdownLink(escape(value), url),
          short: value.length < 40,
        })),
      }],
    }),
};
