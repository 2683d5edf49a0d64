import { operation } from "../access/operation.ts";
import { taskIdentitySchema } from "./schema.ts";

const tag = "System";

export const taskIdentityOperations = {
  get: operation({
    id: "getTaskIdentity",
    method: "GET",
    path: "/task_identity",
    tag,
    summary: "Get the keys that sign the identities of tasks",
    details: "Verifiers read the public keys at `/.well-known/jwks.json` below the issuer.",
    access: "admin",
    answer: taskIdentitySchema,
  }),
  revoke: operation({
    id: "revokeIdentityKeys",
    method: "POST",
    path: "/task_identity/revoke",
    tag,
    summary: "Remove all keys that sign identities of tasks and create a new one",
    details: "Identities of running tasks are no longer valid as soon as verifiers read the keys " +
      "again. They may keep them for five minutes.",
    access: "admin",
    status: 204,
  }),
};
