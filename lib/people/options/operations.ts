import { operation } from "../../access/operation.ts";
import { userOption, userOptionsSchema } from "./schema.ts";
import { listUserOptions, setUserOption } from "./service.ts";

const path = "/user/options";
const tag = "Users";

export const userOptionOperations = [
  operation({
    id: "listUserOptions",
    method: "GET",
    path,
    tag,
    summary: "List the options of the signed-in user",
    details: "Values by their keys. No one else can read them.",
    access: "user",
    answer: userOptionsSchema,
    run: ({ scope }) => listUserOptions(scope),
  }),
  operation({
    id: "setUserOption",
    method: "POST",
    path,
    tag,
    summary: "Set an option of the signed-in user",
    details:
      "A text that a client notes. It replaces the value of the key. An account has at most 50.",
    access: "user",
    body: userOption,
    answer: userOption,
    status: 200,
    errors: [409],
    run: ({ scope, body }) => setUserOption(scope, body),
  }),
];
