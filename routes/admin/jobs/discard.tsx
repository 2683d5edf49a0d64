import { jobKindName } from "@/components/admin/job_tables.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  discardJob,
  discardKind,
  getSetAside,
  requireKind,
} from "@/lib/monitoring/jobs/service.ts";
import { asAdmin } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

/** Asks before a job that was set aside is discarded, or all of a kind. */
const { handler, Page } = confirmPage({
  rights: asAdmin,
  async find(scope, { url: { searchParams: query } }) {
    const id = query.get("job");
    const kind = query.get("kind") ?? "";
    const job = id === null ? null : await getSetAside(scope, id);
    if (!job) await requireKind(scope, kind);
    return { job, kind };
  },
  ask: (ui, { job, kind }) => ({
    title: ui.t("jobs.discard_title"),
    question: job
      ? ui.t("jobs.question", { name: job.id })
      : ui.t("jobs.question_all", { name: jobKindName(ui, kind) }),
    cancel: paths.adminJobs(),
    yes: ui.t("jobs.discard"),
    children: job && <p class="mb-0">{ui.tell(job.reason)}</p>,
  }),
  act: (scope, { job, kind }) => job ? discardJob(scope, job.id) : discardKind(scope, kind),
  next: () => [paths.adminJobs(), "flash.jobs.discarded"],
});
export { handler, Page as default };
