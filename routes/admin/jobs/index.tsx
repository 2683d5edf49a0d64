import { page } from "fresh";
import { JobsPage } from "@/components/admin/JobsPage.tsx";
import { requireAdmin } from "@/lib/access/scope.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { paths } from "@/lib/base/paths.ts";
import { listJobs, listSetAside, retryJob, retryKind } from "@/lib/monitoring/jobs/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { orBack, seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

const PAGE_JOBS = 50;

export const handler = define.handlers({
  async GET({ state, url }) {
    const scope = requireAdmin(userScope(state));
    const skip = listNumber().parse(url.searchParams.get("skip")) ?? 0;
    const [kinds, { jobs, hasNext }] = await Promise.all([
      listJobs(scope),
      listSetAside(scope, { skip, limit: PAGE_JOBS }),
    ]);
    return page({
      kinds,
      setAside: jobs,
      skipped: skip || null,
      next: hasNext ? skip + PAGE_JOBS : null,
    });
  },

  /** Tries a job again, or all of a kind. */
  async POST(ctx) {
    const scope = requireAdmin(userScope(ctx.state));
    const { job, kind = "" } = await readForm(ctx.req);
    return await orBack(ctx, paths.adminJobs(), async () => {
      await (job ? retryJob(scope, job) : retryKind(scope, kind));
      return seeOther(ctx, paths.adminJobs(), "flash.jobs.retried");
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => (
  <JobsPage ui={ui} {...data} />
));
