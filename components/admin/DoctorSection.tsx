import type { Report } from "../../lib/doctor/checks.ts";
import type { Finding } from "../../lib/doctor/finding.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";

interface DoctorSectionProps {
  ui: Ui;
  /** Null if the checks have not been run since the start. */
  report: Report | null;
}

const KIND = { ok: "success", warning: "warning", failed: "danger" } as const;
const ICON = { ok: "success", warning: "warning", failed: "error" } as const;

/** Checks that run on demand, and the report of the latest run. */
export const DoctorSection = ({ ui, report }: DoctorSectionProps) => (
  <section class="card mt-6" id="doctor" aria-labelledby="doctor-title">
    <div class="flex flex-wrap items-start justify-between gap-4">
      <div>
        <h2 id="doctor-title" class="m-0">{ui.t("doctor.title")}</h2>
        <p class="hint mt-1 mb-0">{ui.t("doctor.about")}</p>
      </div>
      <form method="post" action={ui.href(paths.adminHealth())} data-stay>
        <Button icon="system">{ui.t("doctor.run")}</Button>
      </form>
    </div>
    {report && <Results ui={ui} report={report} />}
  </section>
);

function Results({ ui, report: { at, level, results } }: { ui: Ui; report: Report }) {
  return (
    <>
      <Alert kind={KIND[level]} title={ui.t(`doctor.summary.${level}`)} class="mt-4">
        <Sentence ui={ui} of="doctor.checked" parts={{ when: <Time ui={ui} at={at} /> }} />
      </Alert>
      <dl class="health-facts">
        {results.map(({ check, findings }, n) => (
          <div key={n}>
            <dt>{ui.t(`doctor.check.${check}`)}</dt>
            <dd>
              <ul class="health-findings">
                {findings.map((finding, n) => <FindingLine key={n} ui={ui} finding={finding} />)}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const FindingLine = ({ ui, finding: { level, found, next } }: { ui: Ui; finding: Finding }) => (
  <li class={`text-${KIND[level]}`}>
    <Icon name={ICON[level]} label={ui.t(`doctor.level.${level}`)} />
    <div>
      <p>{ui.tell(found)}</p>
      {next && <p class="text-muted">{ui.tell(next)}</p>}
    </div>
  </li>
);
