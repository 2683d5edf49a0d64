import { operation } from "../../access/operation.ts";
import { userOption, userOptionsSchema } from "./schema.ts";

const path = "/user/options";
const tag = "Users";

export const userOptionOperations = {
  list: operation({
    id: "listUserOptions",
    method: "GET",
    path,
    tag,
    summary: "List the options of the signed-in user",
    details: "Values by their keys. No one else can read them.",
    access: "user",
    answer: userOptionsSchema,
  }),
  set: operation({
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
  }),
};
