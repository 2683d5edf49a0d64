import { operation } from "../access/operation.ts";
import { registerAnswerSchema, registerRequestSchema } from "../runner/protocol.ts";
import { rotatedTokenSchema } from "./schema.ts";

const tag = "Runners";

/** Calls by runners themselves. They check the tokens of their callers. */
export const runnerProtocolOperations = {
  register: operation({
    id: "registerRunner",
    method: "POST",
    path: "/runner/register",
    tag,
    summary: "Register a runner with its registration token",
    details: "Sent by the program of a runner, with the version of its protocol in the header" +
      " `X-Callboard-Runner`. The answer has the runner's long-lived token.",
    access: "public",
    body: registerRequestSchema,
    answer: registerAnswerSchema,
    errors: [401, 409, 426, 429],
  }),
  rotate: operation({
    id: "rotateRunnerToken",
    method: "POST",
    path: "/runner/token",
    tag,
    summary: "Create another token for the runner that asks",
    details:
      "The current token stays valid until the new one is used for the first time. The current" +
      " one is sent as `Authorization: Bearer`.",
    access: "public",
    answer: rotatedTokenSchema,
    errors: [401, 426],
  }),
};
