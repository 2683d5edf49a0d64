import type { Channel } from "../channel.ts";
import type { AlertMessage } from "../message.ts";
import { postSigned } from "../post_json.ts";

/** Calls an address that the administrator configured, with a signature if there is a secret. */
export const webhookChannel: Channel = {
  kind: "webhook",
  isSetUp: ({ webhookUrl }) => webhookUrl !== null,
  target: () => "",
  send: ({ webhookUrl, webhookSecret }, _target, message) =>
    postSigned(webhookUrl!, webhookSecret, webhookBody(message)),
};

const webhookBody = (
  { title, facts, url, project, task, runner, workflow_run }: AlertMessage,
) => ({
  event: task ? "task" : runner ? "runner" : workflow_run ? "workflow_run" : "test",
  title,
  url,
  project,
  task,
  ...runner && { runner },
  ...workflow_run && { workflow_run },
  facts: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
});
