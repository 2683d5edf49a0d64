import type { AlertMessage } from "../message.ts";
import { type HttpKind, postOf, signatureOf, WEBHOOK_URL } from "./kind.ts";

/** The address of the server's settings, whose format is older than that of HTTP endpoints. */
export const webhook: HttpKind = {
  fields: [WEBHOOK_URL, { name: "signing_secret", secret: true }],
  request: ({ url, signing_secret }, { message }) =>
    signedPost(url, signing_secret, bodyOf(message)),
};

/** Returns a POST of JSON, with a signature if there is a secret. */
export function signedPost(url: string, secret: string | null, object: object) {
  const request = postOf(url, object);
  Object.assign(request.headers, signatureOf(secret, request.body));
  return request;
}

const bodyOf = (
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
