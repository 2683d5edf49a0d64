import type { Channel } from "../channel.ts";
import { slackBody } from "../kinds/slack.ts";
import { postJson } from "../post_json.ts";

/** Sends messages to an incoming webhook of Slack or a compatible service. */
export const slackChannel: Channel = {
  kind: "slack",
  isSetUp: ({ slackUrl }) => slackUrl !== null,
  target: () => "",
  send: ({ slackUrl }, _target, message) =>
    postJson(slackUrl!, { body: JSON.stringify(slackBody(message)), secrets: [slackUrl!] }),
};
