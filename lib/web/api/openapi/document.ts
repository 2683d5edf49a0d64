import { type Access, neededBy, type Operation, successStatus } from "../../../access/operation.ts";
import { TOKEN_SCOPES } from "../../../model/token_limits.ts";
import { itemPaths } from "../etags.ts";
import { type Candidate, componentsOf } from "./components.ts";
import { type Json, jsonSchema } from "./json_schema.ts";
import { conditions, keyParameters, pathParameters, queryParameters } from "./parameters.ts";
import { pascalCase, singular, snakeCase } from "./words.ts";
import type { Config } from "../../../base/settings/config.ts";
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
  const described = operations.map((operation) => ({ operation, ...contentOf(operation) }));
  const { schemas, referTo } = componentsOf(
    described.toSorted((a, b) => rank(a.operation) - rank(b.operation))
      .flatMap(({ body, answer }) => [body, answer].filter((one) => one !== null)),
  );
  for (const { operation, body, answer } of described) {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => `{${snakeCase(name)}}`);
    const content = {
      body: body && referTo(body.schema),
      answer: answer && referTo(answer.schema),
    };
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, items, content),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Callboard",
      version,
      description:
        "Projects, task templates, tasks and their output. Sign in with the session cookie or " +
        "with an API token (`Authorization: Bearer …`). A token may be limited to scopes, projects, " +
        "templates and networks: an operation that its scopes do not allow answers 403 with the " +
        "code `insufficient_scope` and the missing `scope`. Every error has the form " +
        '`{"error": "<sentence>", "code": "<name>", "request_id": "<id>"}`. Sentences are in the ' +
        "language of the header `Accept-Language`, or of the parameter `lang`.",
      contact: { name: "Callboard" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "The scopes `read`, `run`, `manage` and `admin` stand for what a token may do. A token " +
            "without scopes may do all that its person may",
        },
        session: { type: "apiKey", in: "cookie", name: "callboard" },
      },
      headers: PAGE_HEADERS,
      schemas: { ApiError: ERROR_SCHEMA, ...schemas },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          {
            description,
            content: { "application/json": { schema: { $ref: "#/components/schemas/ApiError" } } },
          },
        ]),
      ),
    },
  };
}

const ERROR_SCHEMA = {
  type: "object",
  required: ["error", "code", "request_id"],
  properties: {
    error: { type: "string", description: "A sentence that says what went wrong" },
    code: {
      type: "string",
      description: "Name of the failure for programs, such as `not_found`. It does not change",
    },
    request_id: {
      type: "string",
      description: "The request in the log of the server, as in the header `X-Request-Id`",
    },
    fields: {
      type: "object",
      description: "The names of invalid fields, each with a sentence",
      additionalProperties: { type: "string" },
    },
    scope: {
      type: "string",
      description: "The scope that the token lacks, with the code `insufficient_scope`",
    },
  },
};

/** Headers of answers that are pages of a list. */
const PAGE_HEADERS = {
  Link: {
    description: 'Address of the next page, with `rel="next"`, if there is one',
    schema: { type: "string" },
  },
  "X-Has-Next": { description: "Whether there is a next page", schema: { type: "boolean" } },
};
const PAGE_REFERENCES = Object.fromEntries(
  Object.keys(PAGE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const ERRORS: Record<number, string> = {
  400: "The request or one of its fields is invalid",
  401: "Authentication is required",
  403: "The role or the token does not allow this operation",
  404: "Not found, or not visible to the caller",
  409: "In use, or in conflict with the current state",
  412: "Changed in the meantime: none of the ETags in If-Match is current",
  413: "The body is too large",
  421: "Another server has this run. Send the request again on a new connection",
  422: "A repository or inventory cannot be reached or read, or the key belongs to another call",
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
  see_all_tasks: "members of the project who see the tasks of others",
  read_output: "members of the project who read output",
  override_runs: "owners, managers and task runners of the project",
  approve_tasks: "owners, managers and task runners of the project",
  stop_all_tasks: "owners, managers and task runners of the project",
  manage_triggers: "owners and managers of the project",
  manage_keys: "owners and managers of the project",
  manage_runners: "owners and managers of the project",
  add_people: "owners of the project",
};

/** Schemas of the body and of the answer, null where there is none. */
interface Content<Schema> {
  body: Schema | null;
  answer: Schema | null;
}

/** Objects are named after the call that gets them, rather than after a list. */
const rank = ({ id }: Operation) => id.startsWith("get") ? 0 : id.startsWith("list") ? 2 : 1;

/** Returns both with the names that they may get: see `componentsOf`. */
function contentOf({ id, method, body, answer }: Operation): Content<Candidate> {
  const [, verb, noun] = /^(get|list|create|update)([A-Z].*)$/.exec(id) ?? [];
  const own = pascalCase(id);
  // Lists may have less of each object than its own call.
  const ofList = verb === "list" ? [`${singular(noun)}Summary`] : [];
  const ofNoun = noun ? [noun] : [];
  const suffix = method === "PUT" ? "Change" : "Body";
  return {
    body: body
      ? {
        schema: jsonSchema(body, "input"),
        names: [...ofNoun.map((name) => name + suffix), `${own}Body`],
      }
      : null,
    answer: answer
      ? { schema: jsonSchema(answer, "output"), names: [...ofNoun, ...ofList, `${own}Answer`] }
      : null,
  };
}

function describe(operation: Operation, items: Set<string>, { body, answer }: Content<Json>): Json {
  const { id, tag, summary, details, access } = operation;
  const conditional = conditions(operation, items);
  const parameters = queryParameters(operation);
  const isPaged = parameters.some(({ name }) => name === "limit");
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [details, `Access: ${ACCESS[access]}.`, scopeText(operation)]
      .filter(Boolean).join(" "),
    security: access === "public" ? [] : [...tokenSecurity(operation), { session: [] }],
    parameters: [
      ...pathParameters(operation),
      ...parameters,
      ...conditional.parameters,
      ...keyParameters(operation),
    ],
    ...(body && {
      requestBody: {
        required: !("emptyBody" in operation),
        content: {
          "application/json": { schema: body, example: operation.body!.meta()?.example },
        },
      },
    }),
    responses: {
      [successStatus(operation)]: {
        ...success(operation, answer),
        ...isPaged && { headers: PAGE_REFERENCES },
        ...conditional.answered,
      },
      ...conditional.responses,
      ...failures(operation),
    },
  };
}

/** Requirements of which one is enough: a token with one of the scopes. */
const tokenSecurity = (operation: Operation): Json[] => {
  const needed = neededBy(operation);
  return needed === TOKEN_SCOPES ? [{ token: [] }] : needed.map((scope) => ({ token: [scope] }));
};

function scopeText(operation: Operation): string {
  const needed = neededBy(operation);
  if (operation.access === "public" || needed === TOKEN_SCOPES) return "";
  return `Scope of a token: ${needed.map((scope) => `\`${scope}\``).join(" or ")}.`;
}

/** Content types that generators know. They would warn about others, and leave them out. */
const GENERATED = /^(application\/json|text\/.*)$/;

function success(operation: Operation, schema: Json | null): Json {
  const { contentType = "application/json" } = operation;
  if (successStatus(operation) === 204 || !schema) return { description: "Success" };
  if (!GENERATED.test(contentType)) return { description: `Success, as \`${contentType}\`` };
  return { description: "Success", content: { [contentType]: { schema } } };
}

function failures({ access, body, query, path, errors = [] }: Operation): Json {
  const statuses = new Set<number>(errors);
  // A token may lack the scope or the network for any call.
  if (access !== "public") [401, 403].forEach((status) => statuses.add(status));
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
