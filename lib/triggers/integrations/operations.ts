import { resourceOperations } from "../../resources/common/operations.ts";
import { integrationForm, integrationSchema } from "./schema.ts";
import {
  extractValueChange,
  extractValueForm,
  extractValueSchema,
  matcherChange,
  matcherForm,
  matcherSchema,
} from "./rule_schemas.ts";

const tag = "Integrations";

export const integrationOperations = resourceOperations({
  names: ["Integration", "Integrations"],
  nouns: ["an integration", "integrations of a project"],
  path: "integrations",
  param: "integrationId",
  tag,
  body: integrationForm,
  change: integrationForm,
  answer: integrationSchema,
  sort: ["name"],
  details: {
    delete: "Its matchers, extracted values, aliases and deliveries are deleted too.",
    references: "Always empty: nothing refers to an integration.",
  },
});

const matchers = resourceOperations({
  names: ["Matcher", "Matchers"],
  nouns: ["a matcher", "matchers of an integration"],
  path: "integrations/{integrationId}/matchers",
  param: "matcherId",
  tag,
  body: matcherForm,
  change: matcherChange,
  answer: matcherSchema,
  details: {
    list: "A call must match all of them.",
    references: "Always empty: nothing refers to a matcher.",
  },
  errors: { create: [409], update: [409] },
});

export const matcherOperations = { ...matchers, create: { ...matchers.create, status: 200 } };

export const extractValueOperations = resourceOperations({
  names: ["ExtractValue", "ExtractValues"],
  nouns: ["an extracted value", "extracted values of an integration"],
  path: "integrations/{integrationId}/values",
  param: "valueId",
  tag,
  body: extractValueForm,
  change: extractValueChange,
  answer: extractValueSchema,
  details: {
    list: "Values that are taken from a call for the task's variables.",
    references: "Always empty: nothing refers to an extracted value.",
  },
  errors: { create: [409], update: [409] },
});
