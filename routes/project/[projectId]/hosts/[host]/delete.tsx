import { page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { forgetHost, getProjectHost } from "@/lib/hosts/service.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { hostOf } from "@/routes/(_pages)/hosts.ts";

/** Asks for confirmation before a host is forgotten, and forgets it. */
export const handler = define.handlers({
  async GET({ state: { shell, scope }, url }) {
    requirePermission(shell, "manage_resources");
    const { name } = await getProjectHost(scope, hostOf(scope.projectId, url));
    return page({ name });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const name = hostOf(scope.projectId, ctx.url);
    await forgetHost(await reopen(scope, "manage_resources"), name);
    const list = paths.section(scope.projectId, "hosts");
    return seeOther(ctx, list, "flash.hosts.forgotten", { name });
  },
});

export default define.page<typeof handler>(({ data: { name }, state: { ui, shell } }) => {
  const { id, name: project } = shell.project;
  const title = ui.t("hosts.forget_title");
  return (
    <>
      <Title ui={ui} parts={[title, name, project]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("hosts.forget_question", { name })}
        action={ui.href(paths.host(id, name, "/delete"))}
        cancel={ui.href(paths.section(id, "hosts"))}
        yes={ui.t("hosts.forget")}
      />
    </>
  );
});
