import { HostAuthorities } from "@/components/keys/HostAuthorities.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  addHostAuthority,
  listHostAuthorities,
  removeHostAuthority,
} from "@/lib/resources/known_hosts/authorities.ts";
import { hostAuthorityForm } from "@/lib/resources/known_hosts/authority_schema.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMemberSaving } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asMemberSaving("manage_keys"),
  find: async (scope) => ({ authorities: await listHostAuthorities(scope) }),
  shown: () => newForm(),
  async button({ remove }, _found, { state: { scope } }) {
    if (!remove) return null;
    await removeHostAuthority(await reopen(scope, "manage_keys"), pageId(remove));
    return [paths.hostAuthorities(scope.projectId), "flash.host_authorities.deleted"];
  },
  parse: (typed) => parseValues(typed, hostAuthorityForm),
  save: ({ scope, value }) => addHostAuthority(scope, value),
  refusedStatus: 400,
  next: ({ scope, result: { hosts } }) => [
    paths.hostAuthorities(scope.projectId),
    "flash.host_authorities.created",
    { hosts },
  ],
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <HostAuthorities ui={ui} shell={shell} {...data} />
));
