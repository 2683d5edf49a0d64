import { operation } from "../access/operation.ts";
import { taskIdentitySchema } from "./schema.ts";
import { getTaskIdentity, revokeIdentityKeys } from "./service.ts";

const tag = "System";

export const taskIdentityOperations = [
  operation({
    id: "getTaskIdentity",
    method: "GET",
    path: "/task_identity",
    tag,
    summary: "Get the keys that sign task identities",
    details: "Verifiers read the public keys at `/.well-known/jwks.json` below the issuer.",
    access: "admin",
    answer: taskIdentitySchema,
    run: ({ scope }) => getTaskIdentity(scope),
  }),
  operation({
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
    run: ({ scope }) => revokeIdentityKeys(scope),
  }),
];
