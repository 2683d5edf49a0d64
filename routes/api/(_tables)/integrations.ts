import { aliasOperations } from "@/lib/triggers/aliases/operations.ts";
import {
  createAlias,
  deleteAlias,
  deleteAnyAlias,
  listAliases,
} from "@/lib/triggers/aliases/service.ts";
import {
  extractValueOperations,
  integrationOperations,
  matcherOperations,
} from "@/lib/triggers/integrations/operations.ts";
import {
  extractValues as valueService,
  integrationService,
  matchers as matcherService,
} from "@/lib/triggers/integrations/service.ts";
import { bind, resource } from "@/lib/web/api/bind.ts";

export const integrations = bind(
  integrationOperations,
  resource(integrationService, "integrationId"),
);

export const matchers = bind(matcherOperations, {
  list: ({ scope, ids }) => matcherService.list(scope, ids.integrationId),
  create: ({ scope, ids, body }) => matcherService.create(scope, ids.integrationId, body),
  get: ({ scope, ids }) => matcherService.get(scope, ids.integrationId, ids.matcherId),
  update: ({ scope, ids, body, expected }) =>
    matcherService.update(scope, ids.integrationId, ids.matcherId, body, expected),
  delete: ({ scope, ids, expected }) =>
    matcherService.delete(scope, ids.integrationId, ids.matcherId, expected),
  references: ({ scope, ids }) =>
    matcherService.references(scope, ids.integrationId, ids.matcherId),
});

export const extractValues = bind(extractValueOperations, {
  list: ({ scope, ids }) => valueService.list(scope, ids.integrationId),
  create: ({ scope, ids, body }) => valueService.create(scope, ids.integrationId, body),
  get: ({ scope, ids }) => valueService.get(scope, ids.integrationId, ids.valueId),
  update: ({ scope, ids, body, expected }) =>
    valueService.update(scope, ids.integrationId, ids.valueId, body, expected),
  delete: ({ scope, ids, expected }) =>
    valueService.delete(scope, ids.integrationId, ids.valueId, expected),
  references: ({ scope, ids }) => valueService.references(scope, ids.integrationId, ids.valueId),
});

export const aliases = bind(aliasOperations, {
  listOfProject: ({ scope, url }) => listAliases(scope, null, url.origin),
  createOfProject: ({ scope, url }) => createAlias(scope, null, url.origin),
  deleteOfProject: ({ scope, ids }) => deleteAnyAlias(scope, ids.aliasId),
  list: ({ scope, ids, url }) => listAliases(scope, ids.integrationId, url.origin),
  create: ({ scope, ids, url }) => createAlias(scope, ids.integrationId, url.origin),
  delete: ({ scope, ids }) => deleteAlias(scope, ids.integrationId, ids.aliasId),
});
