import { operation } from "../access/operation.ts";
import { taskIdentitySchema } from "./schema.ts";

const tag = "System";

export const taskIdentityOperations = {
  get: operation({
    id: "getTaskIdentity",
    method: "GET",
    path: "/task_identity",
    tag,
    summary: "Get the keys that sign task identities",
    details: "Verifiers read the public keys at `/.well-known/jwks.json` below the issuer.",
    access: "admin",
    answer: taskIdentitySchema,
  }),
  revoke: operation({
    id: "revokeIdentityKeys",
    method: "POST",
    path: "/task_identity/revoke",
    tag,
    summary: "Replace the keys that sign task identities",
    details:
      "All former keys are removed. Verifiers reject the identities of running tasks when they " +
      "read the keys again, which may take five minutes.",
    access: "admin",
    status: 204,
  }),
};
