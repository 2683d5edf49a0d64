/** The OpenAPI document in the structure of its page. */
export interface ApiDocument {
  description: string;
  groups: { tag: string; operations: ApiOperation[] }[];
}

export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: { name: string; place: string; required: boolean }[];
  /** JSON Schema as text. */
  body: string | null;
  answer: string | null;
  responses: { status: string; description: string }[];
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; in: string; required?: boolean }[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string; $ref?: string }>;
}

interface Content {
  content?: { "application/json"?: { schema: unknown } };
}

interface Document {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { responses: Record<string, { description: string }> };
}

/** Reads the text written by `openApiText`. */
export function readDocument(text: string): ApiDocument {
  const document = JSON.parse(text) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      tag: described.tags[0],
      operation: readOperation(document, path, method.toUpperCase(), described),
    }))
  );
  return {
    description: document.info.description,
    groups: document.tags.map(({ name }) => ({
      tag: name,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
  };
}

function readOperation(
  { components }: Document,
  path: string,
  method: string,
  { operationId, summary, description, parameters, requestBody, responses }: Described,
): ApiOperation {
  return {
    id: operationId,
    method,
    path: `/api${path}`,
    summary,
    description,
    parameters: parameters.map(({ name, in: place, required = false }) => ({
      name,
      place,
      required,
    })),
    body: schemaText(requestBody),
    answer: schemaText(Object.values(responses).find(({ content }) => content)),
    responses: Object.entries(responses).map(([status, { description, $ref }]) => ({
      status,
      description: description ?? components.responses[$ref?.split("/").at(-1) ?? ""].description,
    })),
  };
}

function schemaText(content: Content | undefined): string | null {
  const schema = content?.content?.["application/json"]?.schema;
  return schema ? JSON.stringify(schema, null, 2) : null;
}
