import type { Ui } from "../../lib/i18n/ui.ts";
import type { BackupOverview } from "../../lib/maintenance/server_backup/overview.ts";
import type { BackupStep, StepOutcome } from "../../lib/maintenance/server_backup/backup_report.ts";
import { Alert } from "../ui/Alert.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { PlannedTime, Time } from "../ui/Time.tsx";
import { AdminHeader } from "./AdminHeader.tsx";

interface BackupsPageProps extends BackupOverview {
  ui: Ui;
  /** The command that tests a backup by hand. */
  command: string;
}

const STEPS: readonly BackupStep[] = ["backup", "upload", "command", "test"];

/** The latest automatic backups, where they went, their tests, and what comes next. */
export const BackupsPage = (
  { ui, folder, files, report, nextBackup, nextTest, command }: BackupsPageProps,
) => (
  <>
    <AdminHeader ui={ui} title={ui.t("backups.title")} />
    <div class="grid grid-cols-1 gap-6">
      {folder === null && <Alert kind="info">{ui.t("backups.none")}</Alert>}
      <section class="card" aria-labelledby="steps">
        <h2 id="steps" class="m-0">{ui.t("backups.state")}</h2>
        <ul class="health-checks">
          {STEPS.map((step, n) => <Step key={n} ui={ui} step={step} outcome={report[step]} />)}
        </ul>
        <dl class="health-facts">
          <div>
            <dt>{ui.t("backups.next")}</dt>
            <dd>
              <PlannedTime ui={ui} at={nextBackup} />
            </dd>
          </div>
          <div>
            <dt>{ui.t("backups.next_test")}</dt>
            <dd>
              <PlannedTime ui={ui} at={nextTest} />
            </dd>
          </div>
        </dl>
        <p class="field-hint">
          <Sentence ui={ui} of="backups.by_hand" parts={{ command: <code>{command}</code> }} />
        </p>
      </section>
      {folder !== null && (files
        ? (
          <Table<NonNullable<BackupOverview["files"]>[number]>
            caption={ui.t("backups.files")}
            rows={files}
            rowId={({ name }) => `backup-${name}`}
            empty={ui.t("backups.no_files")}
            columns={[
              nameColumn(ui, "backups.file", ({ name }) => name, { code: true }),
              whenColumn(ui, "backups.time", "time", { named: false }),
              { label: ui.t("backups.size"), cell: ({ size }) => ui.megabytes(size) },
            ]}
          />
        )
        : <Alert kind="danger">{ui.t("backups.unreadable", { folder })}</Alert>)}
    </div>
  </>
);

interface StepProps {
  ui: Ui;
  step: BackupStep;
  outcome: StepOutcome | undefined;
}

/** The latest outcome of a step, with the reason of a failure and what to do about it. */
function Step({ ui, step, outcome }: StepProps) {
  const failed = Boolean(outcome?.error);
  const color = failed ? "text-danger" : outcome ? "text-success" : "";
  return (
    <li class={color}>
      <Icon
        name={failed ? "error" : outcome ? "success" : "waiting"}
        label={outcome && ui.t(failed ? "admin.problem" : "admin.ok")}
      />
      <div>
        <strong>{ui.t(`backups.steps.${step}`)}</strong>
        {outcome
          ? (
            <p>
              <Time ui={ui} at={outcome.at} /> · <code>{outcome.name}</code>
              {outcome.detail && step !== "test" && <>{" "}· {outcome.detail}</>}
              {outcome.detail && step === "test" && (
                <>{" "}· {ui.t("backups.rows", { rows: Number(outcome.detail) })}</>
              )}
            </p>
          )
          : (
            <p>
              <Dash />
            </p>
          )}
        {outcome?.error && (
          <>
            <p>{outcome.error}</p>
            <p>{ui.t(`backups.remedy.${step}`)}</p>
          </>
        )}
      </div>
    </li>
  );
}
