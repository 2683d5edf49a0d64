import { page } from "fresh";
import { KnownHosts } from "@/components/keys/KnownHosts.tsx";
import { define, signedIn } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { forgetKnownHost, listKnownHosts } from "@/lib/parts/known_hosts/service.ts";

export const handler = define.handlers({
  async GET({ state }) {
    const { deps, shell } = state;
    return page({ hosts: await listKnownHosts(deps, signedIn(state), shell.project.id) });
  },

  async POST(ctx) {
    const { deps, shell: { project } } = ctx.state;
    const { host = "" } = await readForm(ctx.req);
    await forgetKnownHost(deps, signedIn(ctx.state), project.id, host);
    return seeOther(ctx, paths.knownHosts(project.id), "flash.known_hosts.forgotten", { host });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <KnownHosts ui={ui} shell={shell} hosts={data.hosts} />
));
