import { COLORS } from "../moods.ts";
import type { AlertMessage } from "../message.ts";
import { type HttpKind, postOf, WEBHOOK_URL } from "./kind.ts";

/** Incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: HttpKind = {
  fields: [WEBHOOK_URL],
  request: ({ url }, { message }) => postOf(url, slackBody(message)),
};

/** Escapes `<`, `>` and `&`, the only markup that Slack reads in plain fields. */
const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the body for Slack, and for services that take the same. */
const slackBody = ({ title, mood, facts, url }: AlertMessage) => ({
  text: escape(title),
  mrkdwn: false,
  attachments: [{
    color: COLORS[mood],
    fallback: escape(title),
    title: escape(title),
    ...(url ? { title_link: url } : {}),
    fields: facts.map(({ label, value, url }) => ({
      title: escape(label),
      value: url ? `<${escape(url)}|${escape(value).replaceAll("|", "¦")}>` : escape(value),
      short: value.length < 40,
    })),
    mrkdwn_in: [],
  }],
});
