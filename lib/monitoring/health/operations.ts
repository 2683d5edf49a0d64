import { operation } from "../../access/operation.ts";
import { healthSchema } from "./schema.ts";

export const healthOperations = {
  check: operation({
    id: "checkHealth",
    method: "GET",
    path: "/health",
    tag: "System",
    summary: "Check the health of the server",
    details: "Answers 503 if the server cannot use its store or its disk.",
    access: "public",
    answer: healthSchema,
  }),
};
