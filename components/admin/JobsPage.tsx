import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { JobCountsView, SetAsideView } from "../../lib/monitoring/jobs/schema.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Pagination } from "../ui/lists/Pagination.tsx";
import { AdminHeader } from "./AdminHeader.tsx";
import { JobKindTable, SetAsideTable } from "./job_tables.tsx";

interface JobsPageProps {
  ui: Ui;
  kinds: JobCountsView[];
  setAside: SetAsideView[];
  /** Numbers of jobs before this page and the next one; null if there is no such page. */
  skipped: number | null;
  next: number | null;
}

/** The work that the server does later, and what was set aside. */
export const JobsPage = ({ ui, kinds, setAside, skipped, next }: JobsPageProps) => (
  <>
    <AdminHeader
      ui={ui}
      title={ui.t("jobs.title")}
      actions={
        <ButtonLink icon="refresh" href={ui.href(paths.adminJobs())}>
          {ui.t("error_page.refresh")}
        </ButtonLink>
      }
    />
    <p class="mt-0 max-w-3xl">{ui.t("jobs.about")}</p>
    <section aria-labelledby="set-aside">
      <h2 id="set-aside">{ui.t("jobs.set_aside")}</h2>
      <SetAsideTable ui={ui} jobs={setAside} />
      <Pagination
        ui={ui}
        newest={skipped === null ? undefined : ui.href(paths.adminJobs())}
        older={next === null ? undefined : ui.href(`${paths.adminJobs()}?skip=${next}`)}
      />
    </section>
    <section class="mt-6" aria-labelledby="kinds">
      <h2 id="kinds">{ui.t("jobs.kinds")}</h2>
      <JobKindTable ui={ui} kinds={kinds} />
    </section>
  </>
);
