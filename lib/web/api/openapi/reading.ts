import type { Operation } from "../../../access/operation.ts";
import type { Config } from "../../../base/settings/config.ts";
import { onceFor } from "../../../base/once_for.ts";
import { type Catalog, catalogs } from "../../../i18n/catalogs.ts";
import { exampleOf } from "./answer_examples.ts";
import { openApiText } from "./document.ts";
import type { Json } from "./json_schema.ts";
import { QUICK_START } from "./quick_start.ts";

/** The OpenAPI document in the structure of its page. */
export interface ApiDocument {
  description: string;
  quickStart: { title: string; command: string }[];
  groups: { tag: string; operations: ApiOperation[] }[];
  /** Descriptions of statuses of errors. */
  errors: { status: string; description: string }[];
  /** Codes of errors with their English sentences. */
  codes: { code: string; sentence: string }[];
  schemas: ApiSchema[];
}

export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: { name: string; place: string; required: boolean; description: string }[];
  /** Command of a shell that makes the call. */
  command: string;
  /** Names of the schemas of the body and the answer, null for others. */
  body: ApiType | null;
  answer: ApiType | null;
  /** An answer in JSON as text. */
  answerExample: string | null;
  statuses: string[];
}

export interface ApiSchema {
  /** Its name. */
  id: string;
  members: { name: string; required: boolean; type: ApiType }[];
}

/** A type as text, with the name of the schema in it that has a description of its own. */
export interface ApiType {
  text: string;
  schema: string | null;
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string }>;
}

interface Content {
  content?: Record<string, { schema: Json; example?: unknown }>;
}

interface Document {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    responses: Record<string, { description: string }>;
    schemas: Record<string, Json>;
  };
}

/** Returns the document for its page. It never changes while the server runs. */
export const readDocument = onceFor((config: Config, operations: Operation[]): ApiDocument => {
  const document = JSON.parse(openApiText(config, operations)) as Document;
  const { responses, schemas } = document.components;
  const bodies = Object.fromEntries(
    operations.map(({ id, body }) => [id, body?.meta()?.example]),
  );
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      tag: call.tags[0],
      operation: readOperation({ schemas, bodies }, path, method.toUpperCase(), call),
    }))
  );
  return {
    description: document.info.description,
    quickStart: QUICK_START,
    groups: document.tags.map(({ name }) => ({
      tag: name,
      operations: described.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    errors: Object.entries(responses).map(([name, { description }]) => ({
      status: name.replace(/\D/g, ""),
      description,
    })),
    codes: codesOf(catalogs.get("en")!.read().errors as Catalog),
    schemas: Object.entries(schemas).map(([name, schema]) => readSchema(name, schema)),
  };
});

/** Returns the codes in a part of the catalog: its keys, whose forms of plurals are one. */
function codesOf(part: Catalog, before = ""): ApiDocument["codes"] {
  return Object.entries(part).flatMap(([name, inner]) => {
    if (typeof inner !== "string") return codesOf(inner, `${before}${name}.`);
    return name.endsWith("_one")
      ? []
      : [{ code: before + name.replace(/_other$/, ""), sentence: inner }];
  });
}

function readOperation(
  known: Parameters<typeof exampleOf>[1],
  path: string,
  method: string,
  { operationId, requestBody, responses, parameters, ...told }: Described,
): ApiOperation {
  const body = contentOf(requestBody);
  const answer = contentOf(Object.values(responses).find(({ content }) => content));
  const example = answer?.type === "application/json"
    ? JSON.stringify(exampleOf(answer.schema, known), null, 2)
    : null;
  return {
    id: operationId,
    method,
    path: `/api${path}`,
    summary: told.summary,
    description: told.description,
    parameters: parameters.map(({ name, in: place, required = false, description = "" }) => ({
      ...{ name, place, required, description },
    })),
    command: commandOf(method, path, body?.example),
    body: body && typeOf(body.schema),
    answer: answer && typeOf(answer.schema),
    answerExample: example,
    statuses: Object.keys(responses),
  };
}

function contentOf({ content }: Content = {}) {
  const [[type, its] = []] = Object.entries(content ?? {});
  return its ? { type, ...its } : null;
}

/** Values for the texts in paths. Numbers are 1. */
const IN_PATHS: Record<string, string> = {
  alias: "$ALIAS",
  app: "ansible",
  check: "$CHECK",
  host: "web1.example.com",
  provider: "main",
  session: "$SESSION",
  token: "$TOKEN_ID",
};

/** Returns the command of a shell that makes a call. */
function commandOf(method: string, path: string, body: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => IN_PATHS[name] ?? "1");
  const quoted = JSON.stringify(body, null, 2)?.replaceAll("'", "'\\''");
  return [
    'curl -H "Authorization: Bearer $TOKEN"',
    ...(method === "GET" || method === "POST" && body !== undefined ? [] : [`-X ${method}`]),
    ...(body === undefined ? [] : [`-H "Content-Type: application/json" -d '${quoted}'`]),
    `$CALLBOARD/api${filled}`,
  ].join(" \\\n  ");
}

function readSchema(name: string, { properties = {}, required = [] }: Json): ApiSchema {
  return {
    id: name,
    members: Object.entries(properties as Record<string, Json>).map(([member, schema]) => ({
      name: member,
      required: (required as string[]).includes(member),
      type: typeOf(schema),
    })),
  };
}

/** Describes a type in a few words: "integer or null", "Task[]". */
function typeOf({ $ref, anyOf, oneOf, type, format, items, enum: values }: Json): ApiType {
  if (typeof $ref === "string") {
    const schema = $ref.split("/").at(-1)!;
    return { text: schema, schema };
  }
  const variants = ((anyOf ?? oneOf ?? []) as Json[]).map(typeOf);
  if (variants.length > 0) {
    return {
      text: variants.map(({ text }) => text).join(" or "),
      schema: variants.find(({ schema }) => schema)?.schema ?? null,
    };
  }
  if (Array.isArray(values)) {
    return { text: values.map((value) => JSON.stringify(value)).join(", "), schema: null };
  }
  const kinds = [type ?? "any"].flat().map(String);
  const [first, ...others] = kinds.map((kind) => kind === "string" ? String(format ?? kind) : kind);
  if (first !== "array") return { text: [first, ...others].join(" or "), schema: null };
  const item = typeOf(items as Json);
  return { ...item, text: [`${item.text}[]`, ...others].join(" or ") };
}
