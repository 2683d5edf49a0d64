import { withExample } from "../../access/operation.ts";
import type { ProjectScope } from "../../access/scope.ts";
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
import { extractValues, integrationService, matchers } from "./service.ts";

const tag = "Integrations";

type OfOne<UseCase> = UseCase extends
  (scope: infer Asked, integrationId: number, ...more: infer More) => infer Result
  ? (scope: Asked, ...more: More) => Result
  : never;

/** Returns the use cases of the matchers or values of the integration that a path names. */
const ofIntegration =
  <Rules extends object>(rules: Rules) => ({ integrationId }: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(rules).map(([name, useCase]) => [
        name,
        (scope: ProjectScope, ...more: unknown[]) => useCase(scope, integrationId, ...more),
      ]),
    ) as { [Name in keyof Rules]: OfOne<Rules[Name]> };

const integrationCalls = resourceOperations({
  names: ["Integration", "Integrations"],
  nouns: ["an integration", "integrations of a project"],
  path: "integrations",
  param: "integrationId",
  tag,
  body: integrationForm,
  change: withExample(integrationForm, { searchable: true }),
  answer: integrationSchema,
  permission: "manage_triggers",
  service: () => integrationService,
  sort: ["name"],
  details: {
    delete: "Its matchers, extracted values, aliases and deliveries are deleted too.",
    references: "Always empty: nothing refers to an integration.",
  },
});

const matcherCalls = resourceOperations({
  names: ["Matcher", "Matchers"],
  nouns: ["a matcher", "matchers of an integration"],
  path: "integrations/{integrationId}/matchers",
  param: "matcherId",
  tag,
  body: matcherForm,
  change: matcherChange,
  answer: matcherSchema,
  permission: "manage_triggers",
  service: ofIntegration(matchers),
  createdStatus: 200,
  details: {
    list: "A call must match all of them.",
    references: "Always empty: nothing refers to a matcher.",
  },
  errors: { create: [409], update: [409] },
});

const valueCalls = resourceOperations({
  names: ["ExtractValue", "ExtractValues"],
  nouns: ["an extracted value", "extracted values of an integration"],
  path: "integrations/{integrationId}/values",
  param: "valueId",
  tag,
  body: extractValueForm,
  change: extractValueChange,
  answer: extractValueSchema,
  permission: "manage_triggers",
  service: ofIntegration(extractValues),
  details: {
    list: "Values that are taken from a call for the task's variables.",
    references: "Always empty: nothing refers to an extracted value.",
  },
  errors: { create: [409], update: [409] },
});

export const integrationOperations = [...integrationCalls, ...valueCalls, ...matcherCalls];
