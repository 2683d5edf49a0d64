import type { AlertMessage } from "../message.ts";
import { COLORS } from "../moods.ts";
import { type HttpKind, markdownLink, postOf, shortened, WEBHOOK_URL } from "./kind.ts";

/** Limits of an embed: https://discord.com/developers/docs/resources/message#embed-object */
const TITLE_MAX = 256;
const VALUE_MAX = 1024;
const FIELDS_MAX = 25;
/** Characters of an embed in all. */
const ALL_MAX = 6000;

/** A webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: HttpKind = {
  fields: [WEBHOOK_URL],
  request: ({ url }, { message: { title, mood, facts, url: link } }) =>
    postOf(url, {
      embeds: [{
        title: shortened(escape(title), TITLE_MAX),
        ...link && { url: link },
        color: parseInt(COLORS[mood].slice(1), 16),
        fields: fieldsIn(facts, ALL_MAX - TITLE_MAX),
      }],
      // A name of a template must not call everyone.
      allowed_mentions: { parse: [] },
    }),
};

/** Escapes Markdown, so that a text is shown as it is. */
const escape = (text: string) => text.replace(/[\\`*_~|<>[\]()#:@-]/g, "\\$&");

/** Returns the first fields that have at most `max` characters together. */
function fieldsIn(facts: AlertMessage["facts"], max: number) {
  let left = max;
  return facts.slice(0, FIELDS_MAX).map(({ label, value, url }) => ({
    name: shortened(escape(label), TITLE_MAX),
    value: markdownLink(shortened(escape(value), VALUE_MAX), url, VALUE_MAX),
    inline: value.length < 40,
  })).filter(({ name, value }) => (left -= name.length + value.length) >= 0);
}
