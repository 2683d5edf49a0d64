import { knownHostOperations } from "@/lib/resources/known_hosts/operations.ts";
import { forgetKnownHost, listKnownHosts } from "@/lib/resources/known_hosts/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const knownHosts = bind(knownHostOperations, {
  list: ({ scope }) => listKnownHosts(scope),
  forget: ({ scope, params }) => forgetKnownHost(scope, params.host),
});
