import { createHmac } from "node:crypto";
import type { Channel } from "../channel.ts";
import type { AlertMessage } from "../message.ts";
import { postJson } from "../post_json.ts";

/** Calls an address that the administrator configured, with a signature if there is a secret. */
export const webhookChannel: Channel = {
  kind: "webhook",
  isSetUp: ({ webhookUrl }) => webhookUrl !== null,
  target: () => "",
  send({ webhookUrl, webhookSecret }, _target, message) {
    const body = JSON.stringify(webhookBody(message));
    const headers: Record<string, string> = {};
    if (webhookSecret) {
      const digest = createHmac("sha256", webhookSecret).update(body).digest("hex");
      headers["X-Callboard-Signature"] = `sha256=${digest}`;
    }
    return postJson(webhookUrl!, { body, headers, secrets: [] });
  },
};

const webhookBody = ({ title, facts, url, project, task }: AlertMessage) => ({
  event: task ? "task" : "test",
  title,
  url,
  project,
  task,
  facts: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
});
