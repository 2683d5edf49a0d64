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
        "Projects, task templates, tasks and their output. Sign in with the session cookie or with an " +
        "API token (`Authorization: Bearer …`). Every error has the form " +
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
    error: { type: "string", description: "A sentence that says what went wrong" },
    fields: {
      type: "object",
      description: "The names of invalid fields, each with a sentence",
      additionalProperties: { type: "string" },
    },
  },
};

const ERRORS: Record<number, string> = {
  400: "The request or one of its fields is invalid",
  401: "Authentication is required",
  403: "The role or the token does not allow this operation",
  404: "Not found, or not visible to the caller",
  409: "In use, or in conflict with the current state",
  412: "Changed in the meantime: none of the ETags in If-Match is current",
  413: "The body is too large",
  421: "Another server has this run. Send the request again on a new connection",
  422: "A repository or inventory cannot be reached or read",
  426: "The program of the runner must be updated",
  429: "Too many requests. Try again after the seconds in Retry-After",
};

const ACCESS: Record<Access, string> = {
  public: "everyone",
  user: "signed-in users",
  admin: "admins",
  admin_or_self: "admins, and users for their own account",
  create_project: "admins, and all signed-in users if the server is configured so",
  member: "members of the project",
  run_tasks: "owners, managers and task runners of the project",
  update_project: "owners of the project",
  manage_resources: "owners and managers of the project",
  manage_users: "owners of the project",
};

function describe(operation: Operation, items: Set<string>): Json {
  const { id, tag, summary, details, access, body } = operation;
  const conditional = conditions(operation, items);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [details, `Access: ${ACCESS[access]}.`].filter(Boolean).join(" "),
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
  if (successStatus(operation) === 204) return { description: "Success" };
  const { answer, contentType = "application/json" } = operation;
  if (!answer) return { description: "Success" };
  return {
    description: "Success",
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
