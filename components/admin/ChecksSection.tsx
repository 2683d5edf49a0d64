import type { CheckList, CheckName } from "../../lib/monitoring/checks/checks.ts";
import type { Finding } from "../../lib/monitoring/checks/finding.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";

interface ChecksSectionProps {
  ui: Ui;
  checks: CheckList;
}

const KIND = { ok: "success", warning: "warning", failed: "danger" } as const;
const ICON = { ok: "success", warning: "warning", failed: "error" } as const;

const jobs = { path: paths.adminJobs(), title: "jobs.title" };
/** Pages that say more about a check. */
const DETAILS: { [check in CheckName]?: { path: string; title: string } } = {
  backup: { path: paths.adminBackups(), title: "backups.title" },
  jobs_late: jobs,
  jobs_set_aside: jobs,
};

/** All checks with their findings, and the button that runs the thorough ones. */
export const ChecksSection = ({ ui, checks: { at, level, results } }: ChecksSectionProps) => (
  <section class="card" id="checks" aria-labelledby="checks-title">
    <div class="flex flex-wrap items-start justify-between gap-4">
      <div>
        <h2 id="checks-title" class="m-0">{ui.t("admin.checks")}</h2>
        <p class="hint mt-1 mb-0">{ui.t("doctor.about")}</p>
      </div>
      <form method="post" action={ui.href(paths.adminHealth())} data-stay>
        <Button icon="health">{ui.t("doctor.run")}</Button>
      </form>
    </div>
    {at !== null && (
      <Alert kind={KIND[level]} title={ui.t(`doctor.summary.${level}`)} class="mt-4">
        <Sentence ui={ui} of="doctor.checked" parts={{ when: <Time ui={ui} at={at} /> }} />
      </Alert>
    )}
    <dl class="health-facts">
      {results.map(({ check, findings }, n) => (
        <div key={n}>
          <dt>{ui.t(`doctor.check.${check}`)}</dt>
          <dd>
            <ul class="health-findings">
              {findings.map((finding, n) => <FindingLine key={n} ui={ui} finding={finding} />)}
            </ul>
            {DETAILS[check] && findings.some(({ level }) => level === "failed") && (
              <a href={ui.href(DETAILS[check].path)}>{ui.t(DETAILS[check].title)}</a>
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

const FindingLine = ({ ui, finding: { level, found, next } }: { ui: Ui; finding: Finding }) => (
  <li class={`text-${KIND[level]}`}>
    <Icon name={ICON[level]} label={ui.t(`doctor.level.${level}`)} />
    <div>
      <p>{ui.tell(found)}</p>
      {next && <p class="text-muted">{ui.tell(next)}</p>}
    </div>
  </li>
);
