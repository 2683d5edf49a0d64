import { page } from "fresh";
import { jobKindName } from "@/components/admin/job_tables.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { discardJob, discardKind, getSetAside } from "@/lib/monitoring/jobs/service.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

/** Asks before a job that was set aside is discarded, or all of a kind. */
export const handler = define.handlers({
  async GET({ state, url }) {
    const id = url.searchParams.get("job");
    const job = id === null ? null : await getSetAside(requireAdmin(userScope(state)), id);
    return page({ job, kind: url.searchParams.get("kind") ?? "", query: url.search });
  },

  async POST(ctx) {
    const scope = requireAdmin(userScope(ctx.state));
    const id = ctx.url.searchParams.get("job");
    const kind = ctx.url.searchParams.get("kind") ?? "";
    await (id === null ? discardKind(scope, kind) : discardJob(scope, id));
    return seeOther(ctx, paths.adminJobs(), "flash.jobs.discarded");
  },
});

export default define.page<typeof handler>(({ data: { job, kind, query }, state: { ui } }) => {
  const title = ui.t("jobs.discard_title");
  return (
    <>
      <Title ui={ui} parts={[title, ui.t("admin.title")]} />
      <Confirm
        ui={ui}
        title={title}
        question={job
          ? ui.t("jobs.question", { name: job.id })
          : ui.t("jobs.question_all", { name: jobKindName(ui, kind) })}
        action={ui.href(paths.adminJobs("/discard") + query)}
        cancel={ui.href(paths.adminJobs())}
        yes={ui.t("jobs.discard")}
      >
        {job && <p class="mb-0">{ui.tell(job.reason)}</p>}
      </Confirm>
    </>
  );
});
