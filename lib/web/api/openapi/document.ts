import { type Access, type Operation, successStatus } from "../../../access/operation.ts";
import { itemPaths } from "../etags.ts";
import { EXAMPLES } from "./examples.ts";
import {
  conditions,
  type Json,
  jsonSchema,
  pathParameters,
  queryParameters,
  snakeCase,
} from "./parameters.ts";
import type { Config } from "../../../base/config.ts";
import { onceFor } from "../../../base/once_for.ts";

/**
 * Returns the OpenAPI 3.1 document of `operations`. It uses the same schemas that check the
 * requests.
 */
function openApiDocument(
  operations: Operation[],
  version: string,
  serverUrl: string,
): Json {
  const paths: Record<string, Json> = {};
  const items = itemPaths(operations);
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `{${snakeCase(name)}}`);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, items) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Callboard",
      version,
      description:
        "Run Ansible playbooks: projects, task templates, tasks and their output. Requests carry " +
        "the session cookie or an API token (`Authorization: Bearer …`). Every error is " +
        '`{"error": "<sentence>"}`.',
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "callboard" },
      },
      schemas: { Error: ERROR_SCHEMA },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          {
            description,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          },
        ]),
      ),
    },
  };
}

const ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: { type: "string", description: "What went wrong, in a sentence" },
    fields: {
      type: "object",
      description: "What is wrong with which field",
      additionalProperties: { type: "string" },
    },
  },
};

const ERRORS: Record<number, string> = {
  400: "The request cannot be understood, or a field is wrong",
  401: "Nobody is signed in",
  403: "The role in this project does not allow it",
  404: "There is nothing here, or you may not see it",
  409: "It is in use, or does not go with the state things are in",
  412: "It was changed meanwhile: it has none of the ETags of If-Match",
  413: "The body is too large",
  422: "What it is about cannot be reached or read: the sentence says why",
  429: "Too many attempts, or too many at once: try again after the seconds in Retry-After",
};

const ACCESS: Record<Access, string> = {
  public: "Anybody.",
  user: "Anybody who is signed in.",
  admin: "Global admins.",
  admin_or_self: "Global admins, and the user themselves.",
  create_project: "Global admins, and everybody if the server is set up so.",
  member: "Members of the project.",
  run_tasks: "Owners, managers and task runners of the project.",
  update_project: "Owners of the project.",
  manage_resources: "Owners and managers of the project.",
  manage_users: "Owners of the project.",
};

function describe(operation: Operation, items: Set<string>): Json {
  const { id, tag, summary, access, body } = operation;
  const conditional = conditions(operation, items);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `For: ${ACCESS[access]}`,
    security: access === "public" ? [] : [{ token: [] }, { session: [] }],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...conditional.parameters,
    ],
    ...(body && {
      requestBody: {
        required: !("emptyBody" in operation),
        content: {
          "application/json": { schema: jsonSchema(body, "input"), example: EXAMPLES[id] },
        },
      },
    }),
    responses: {
      [successStatus(operation)]: { ...success(operation), ...conditional.answered },
      ...conditional.responses,
      ...failures(operation),
    },
  };
}

function success(operation: Operation): Json {
  if (successStatus(operation) === 204) return { description: "Done" };
  const { answer, contentType = "application/json" } = operation;
  if (!answer) return { description: "Done" };
  return {
    description: "Done",
    content: { [contentType]: { schema: jsonSchema(answer, "output") } },
  };
}

function failures({ access, body, query, path, errors = [] }: Operation): Json {
  const statuses = new Set<number>(errors);
  if (access !== "public") statuses.add(401);
  if (!["public", "user", "member"].includes(access)) statuses.add(403);
  if (path.includes("{")) [400, 404].forEach((status) => statuses.add(status));
  if (query) statuses.add(400);
  if (body) [400, 413].forEach((status) => statuses.add(status));
  return Object.fromEntries(
    [...statuses].toSorted().map((status) => [
      status,
      { $ref: `#/components/responses/Error${status}` },
    ]),
  );
}

/** Returns the OpenAPI document as JSON text. It never changes while the server runs. */
export const openApiText = onceFor((config: Config, operations: Operation[]): string =>
  JSON.stringify(openApiDocument(operations, config.version, `${config.basePath}/api`))
);
