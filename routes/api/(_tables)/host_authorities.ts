import {
  addHostAuthority,
  listHostAuthorities,
  removeHostAuthority,
} from "@/lib/resources/known_hosts/authorities.ts";
import { hostAuthorityOperations } from "@/lib/resources/known_hosts/authority_operations.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const hostAuthorities = bind(hostAuthorityOperations, {
  list: ({ scope }) => listHostAuthorities(scope),
  add: ({ scope, body }) => addHostAuthority(scope, body),
  remove: ({ scope, ids }) => removeHostAuthority(scope, ids.hostAuthorityId),
});
