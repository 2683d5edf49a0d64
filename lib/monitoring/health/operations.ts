import { operation } from "../../access/operation.ts";
import { healthSchema } from "./schema.ts";

export const healthOperations = {
  check: operation({
    id: "checkHealth",
    method: "GET",
    path: "/health",
    tag: "System",
    summary:
      "Whether the server can do its work; 503 when its store or its disk is in no state for that",
    access: "public",
    answer: healthSchema,
  }),
};
