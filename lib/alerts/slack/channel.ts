import type { Channel } from "../channel.ts";
import type { AlertMessage } from "../message.ts";
import { postJson } from "../post_json.ts";

const COLORS: Record<AlertMessage["mood"], string> = {
  good: "#2e7d32",
  bad: "#c62828",
  question: "#ef6c00",
  neutral: "#1565c0",
};

/** Sends messages to an incoming webhook of Slack or a compatible service. */
export const slackChannel: Channel = {
  kind: "slack",
  isSetUp: ({ slackUrl }) => slackUrl !== null,
  target: () => "",
  send: ({ slackUrl }, _target, message) =>
    postJson(slackUrl!, { body: JSON.stringify(slackBody(message)), secrets: [] }),
};

/** Escapes `<`, `>` and `&`, the only markup that Slack reads in plain fields. */
const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const slackBody = ({ title, mood, facts, url }: AlertMessage) => ({
  text: escape(title),
  attachments: [{
    color: COLORS[mood],
    fallback: escape(title),
    title: escape(title),
    ...(url ? { title_link: url } : {}),
    fields: facts.map(({ label, value }) => ({
      title: escape(label),
      value: escape(value),
      short: value.length < 40,
    })),
    mrkdwn_in: [],
  }],
});
