import { operationWith } from "../../access/operation.ts";
import { checkListSchema, healthSchema } from "./schema.ts";
import { checkHealth, type ChecksDeps, readChecks, runServerChecks } from "./service.ts";
import { Answer } from "../../access/answer.ts";

const operation = operationWith<ChecksDeps>();

export const healthOperations = [
  operation({
    id: "checkHealth",
    method: "GET",
    path: "/health",
    tag: "System",
    summary: "Check the health of the server",
    details: "Answers 503 if the server cannot use its store or its disk.",
    access: "public",
    answer: healthSchema,
    async run({ scope }) {
      const health = await checkHealth(scope.deps);
      return new Answer(health, {
        status: health.status === "failing" ? 503 : 200,
        headers: { "Cache-Control": "no-store" },
      });
    },
  }),
  operation({
    id: "listChecks",
    method: "GET",
    path: "/health/checks",
    tag: "System",
    summary: "List all checks of the server with their findings",
    details: "Quick checks are as of now, and thorough ones as of their latest run.",
    access: "admin",
    answer: checkListSchema,
    run: ({ scope }) => readChecks(scope),
  }),
  operation({
    id: "runChecks",
    method: "POST",
    path: "/health/checks",
    tag: "System",
    summary: "Check all that the server needs",
    details: "Runs the thorough checks, which take up to ten seconds, and answers with the list.",
    access: "admin",
    status: 200,
    answer: checkListSchema,
    run: ({ scope }) => runServerChecks(scope),
  }),
];
