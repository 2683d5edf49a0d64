import { resourceOperations } from "../../parts/resources/operations.ts";
import { integrationForm, integrationSchema } from "./schema.ts";
import {
  extractValueChange,
  extractValueForm,
  extractValueSchema,
  matcherChange,
  matcherForm,
  matcherSchema,
} from "./part_schemas.ts";

const tag = "Integrations";

export const integrationOperations = resourceOperations({
  names: ["Integration", "Integrations"],
  path: "integrations",
  param: "integrationId",
  tag,
  body: integrationForm,
  change: integrationForm,
  answer: integrationSchema,
  sort: ["name"],
  summaries: {
    list: "The project's integrations",
    create: "Let webhooks start a template",
    get: "One integration",
    update: "Change an integration",
    delete: "Delete an integration with its matchers, values, aliases and log of calls",
    references: "What uses the integration: nothing ever does",
  },
});

const matchers = resourceOperations({
  names: ["Matcher", "Matchers"],
  path: "integrations/{integrationId}/matchers",
  param: "matcherId",
  tag,
  body: matcherForm,
  change: matcherChange,
  answer: matcherSchema,
  summaries: {
    list: "What a call must match; all of it",
    create: "Add a matcher",
    get: "One matcher",
    update: "Change a matcher",
    delete: "Delete a matcher",
    references: "What uses the matcher: nothing ever does",
  },
  errors: { create: [409], update: [409] },
});

export const matcherOperations = { ...matchers, create: { ...matchers.create, status: 200 } };

export const extractValueOperations = resourceOperations({
  names: ["ExtractValue", "ExtractValues"],
  path: "integrations/{integrationId}/values",
  param: "valueId",
  tag,
  body: extractValueForm,
  change: extractValueChange,
  answer: extractValueSchema,
  summaries: {
    list: "What is taken from a call for the task's variables",
    create: "Add an extract value",
    get: "One extract value",
    update: "Change an extract value",
    delete: "Delete an extract value",
    references: "What uses the extract value: nothing ever does",
  },
  errors: { create: [409], update: [409] },
});
