import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import {
  extractValueChange,
  extractValueForm,
  extractValueSchema,
  integrationForm,
  integrationSchema,
  matcherChange,
  matcherForm,
  matcherSchema,
} from "./schema.ts";

const tag = "Integrations";
const all = "/project/{projectId}/integrations";
const one = `${all}/{integrationId}` as const;
const read = { tag, method: "GET", access: "member" } as const;
const write = { tag, access: "manage_resources" } as const;

export const integrationOperations = {
  list: operation({
    ...read,
    id: "listIntegrations",
    path: all,
    summary: "The project's integrations",
    answer: z.array(integrationSchema),
    sort: ["name"],
  }),
  create: operation({
    ...write,
    id: "createIntegration",
    method: "POST",
    path: all,
    summary: "Let webhooks start a template",
    body: integrationForm,
    answer: integrationSchema,
  }),
  get: operation({
    ...read,
    id: "getIntegration",
    path: one,
    summary: "One integration",
    answer: integrationSchema,
  }),
  update: operation({
    ...write,
    id: "updateIntegration",
    method: "PUT",
    path: one,
    summary: "Change an integration",
    body: integrationForm,
  }),
  delete: operation({
    ...write,
    id: "deleteIntegration",
    method: "DELETE",
    path: one,
    summary: "Delete an integration with its matchers, values, aliases and log of calls",
  }),
  references: operation({
    ...read,
    id: "getIntegrationReferences",
    path: `${one}/refs`,
    summary: "What uses the integration: nothing ever does",
    answer: referencesSchema,
  }),
};

export const matcherOperations = {
  list: operation({
    ...read,
    id: "listMatchers",
    path: `${one}/matchers`,
    summary: "What a call must match; all of it",
    answer: z.array(matcherSchema),
  }),
  create: operation({
    ...write,
    id: "createMatcher",
    method: "POST",
    path: `${one}/matchers`,
    summary: "Add a matcher",
    body: matcherForm,
    answer: matcherSchema,
    status: 200,
    errors: [409],
  }),
  get: operation({
    ...read,
    id: "getMatcher",
    path: `${one}/matchers/{matcherId}`,
    summary: "One matcher",
    answer: matcherSchema,
  }),
  update: operation({
    ...write,
    id: "updateMatcher",
    method: "PUT",
    path: `${one}/matchers/{matcherId}`,
    summary: "Change a matcher",
    body: matcherChange,
    errors: [409],
  }),
  delete: operation({
    ...write,
    id: "deleteMatcher",
    method: "DELETE",
    path: `${one}/matchers/{matcherId}`,
    summary: "Delete a matcher",
  }),
  references: operation({
    ...read,
    id: "getMatcherReferences",
    path: `${one}/matchers/{matcherId}/refs`,
    summary: "What uses the matcher: nothing ever does",
    answer: referencesSchema,
  }),
};

export const extractValueOperations = {
  list: operation({
    ...read,
    id: "listExtractValues",
    path: `${one}/values`,
    summary: "What is taken from a call for the task's variables",
    answer: z.array(extractValueSchema),
  }),
  create: operation({
    ...write,
    id: "createExtractValue",
    method: "POST",
    path: `${one}/values`,
    summary: "Add an extract value",
    body: extractValueForm,
    answer: extractValueSchema,
    errors: [409],
  }),
  get: operation({
    ...read,
    id: "getExtractValue",
    path: `${one}/values/{valueId}`,
    summary: "One extract value",
    answer: extractValueSchema,
  }),
  update: operation({
    ...write,
    id: "updateExtractValue",
    method: "PUT",
    path: `${one}/values/{valueId}`,
    summary: "Change an extract value",
    body: extractValueChange,
    errors: [409],
  }),
  delete: operation({
    ...write,
    id: "deleteExtractValue",
    method: "DELETE",
    path: `${one}/values/{valueId}`,
    summary: "Delete an extract value",
  }),
  references: operation({
    ...read,
    id: "getExtractValueReferences",
    path: `${one}/values/{valueId}/refs`,
    summary: "What uses the extract value: nothing ever does",
    answer: referencesSchema,
  }),
};
