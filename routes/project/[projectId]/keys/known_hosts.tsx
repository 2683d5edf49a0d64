import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { KnownHosts } from "@/components/keys/KnownHosts.tsx";
import { define } from "@/lib/web/state.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { forgetKnownHost, listKnownHosts } from "@/lib/resources/known_hosts/service.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const hosts = await listKnownHosts(state.scope);
    return page({ hosts, state: readTableState(url.searchParams) });
  },

  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    const { host = "" } = await readForm(ctx.req);
    await forgetKnownHost(await reopen(ctx.state.scope, "manage_keys"), host);
    return seeOther(ctx, paths.knownHosts(project.id), "flash.known_hosts.forgotten", { host });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <KnownHosts ui={ui} shell={shell} {...data} />
));
