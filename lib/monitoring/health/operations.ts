import { operation } from "../../access/operation.ts";
import { checkListSchema, healthSchema } from "./schema.ts";

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
  list: operation({
    id: "listChecks",
    method: "GET",
    path: "/health/checks",
    tag: "System",
    summary: "List all checks of the server with their findings",
    details: "Quick checks are as of now, and thorough ones as of their latest run.",
    access: "admin",
    answer: checkListSchema,
  }),
  run: operation({
    id: "runChecks",
    method: "POST",
    path: "/health/checks",
    tag: "System",
    summary: "Check all that the server needs",
    details: "Runs the thorough checks, which take up to ten seconds, and answers with the list.",
    access: "admin",
    status: 200,
    answer: checkListSchema,
  }),
};
