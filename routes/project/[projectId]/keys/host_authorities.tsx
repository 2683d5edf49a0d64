import { type Context, page } from "fresh";
import { HostAuthorities } from "@/components/keys/HostAuthorities.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  addHostAuthority,
  listHostAuthorities,
  removeHostAuthority,
} from "@/lib/resources/known_hosts/authorities.ts";
import { hostAuthorityForm } from "@/lib/resources/known_hosts/authority_schema.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, type State } from "@/lib/web/state.ts";

const authoritiesPage = async (
  { state }: Pick<Context<State>, "state">,
  form: FormState,
  status = 200,
) => page({ authorities: await listHostAuthorities(state.scope), form }, { status });

export const handler = define.handlers({
  GET: (ctx) => authoritiesPage(ctx, newForm()),

  async POST(ctx) {
    const path = paths.hostAuthorities(ctx.state.scope.projectId);
    const scope = await reopen(ctx.state.scope, "manage_resources");
    const values = await readForm(ctx.req);
    if (values.remove) {
      await removeHostAuthority(scope, pageId(values.remove));
      return seeOther(ctx, path, "flash.host_authorities.deleted");
    }
    const form = await saveForm(
      parseValues(values, hostAuthorityForm),
      (value) => addHostAuthority(scope, value),
    );
    if (!form.ok) return await authoritiesPage(ctx, form, 400);
    return seeOther(ctx, path, "flash.host_authorities.created", { hosts: form.result.hosts });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <HostAuthorities ui={ui} shell={shell} {...data} />
));
