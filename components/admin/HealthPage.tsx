import type { ComponentChildren } from "preact";
import type { Report } from "../../lib/doctor/checks.ts";
import type { Check } from "../../lib/monitoring/health/schema.ts";
import type { Removal } from "../../lib/maintenance/retention/progress.ts";
import type { ServerState } from "../../lib/monitoring/health/server_state.ts";
import { paths } from "../../lib/base/paths.ts";
import type { SentenceOrText } from "../../lib/base/sentence_or_text.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Dash } from "../ui/cells.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";
import { AdminHeader } from "./AdminHeader.tsx";
import { DoctorSection } from "./DoctorSection.tsx";

interface HealthPageProps {
  ui: Ui;
  server: ServerState;
  version: string;
  /** Output of `ansible --version`; null if Ansible is not installed. */
  ansible: string | null;
  report: Report | null;
  /** The removal of old tasks; null if there was none. */
  removal: Removal | null;
  /** The command that backs the server up, as its operators type it. */
  backupCommand: string;
}

const KIND = { ok: "success", degraded: "warning", failing: "danger" } as const;

/** The state of this server, with what to do about each problem. */
export function HealthPage(
  { ui, server, version, ansible, report, removal, backupCommand }: HealthPageProps,
) {
  const { status, checks: { backup, audit, ...rest } } = server.health;
  // A server without receivers has nothing to push.
  const checks = {
    ...rest,
    ...!audit.ok && { audit },
    ...server.hasAutomaticBackups && { backup },
  };
  return (
    <>
      <AdminHeader
        ui={ui}
        title={ui.t("admin.health")}
        actions={
          <ButtonLink icon="refresh" href={ui.href(paths.adminHealth())}>
            {ui.t("error_page.refresh")}
          </ButtonLink>
        }
      />
      <Alert kind={KIND[status]} title={ui.t(`admin.status.${status}`)} />
      <div class="grid grid-cols-1 xl:grid-cols-2 items-start gap-6 mt-6">
        <section class="card" aria-labelledby="checks">
          <h2 id="checks" class="m-0">{ui.t("admin.checks")}</h2>
          <ul class="health-checks">
            {Object.entries(checks).map(([name, check], n) => (
              <CheckLine key={n} ui={ui} name={name} check={check} />
            ))}
          </ul>
        </section>
        <section class="card" aria-labelledby="server">
          <h2 id="server" class="m-0">{ui.t("admin.server")}</h2>
          <dl class="health-facts">
            <Fact label={ui.t("admin.facts.version")}>{version}</Fact>
            <Fact label={ui.t("admin.check.ansible")}>
              {ansible === null ? <Dash /> : <code>{ansible.split("\n", 1)[0]}</code>}
            </Fact>
            <ServerFacts ui={ui} server={server} backupCommand={backupCommand} />
            {removal && <RemovalFact ui={ui} removal={removal} />}
          </dl>
        </section>
      </div>
      <DoctorSection ui={ui} report={report} />
    </>
  );
}

interface CheckLineProps {
  ui: Ui;
  name: string;
  check: Check;
}

function CheckLine({ ui, name, check: { ok, reason } }: CheckLineProps) {
  return (
    <li class={ok ? "text-success" : "text-danger"}>
      <Icon name={ok ? "success" : "error"} label={ui.t(ok ? "admin.ok" : "admin.problem")} />
      <div>
        <strong>{ui.t(`admin.check.${name}`)}</strong>
        {reason && (
          <>
            <p>{ui.tell(reason)}</p>
            <p>{ui.t(remedyOf(name, reason))}</p>
            {DETAILS[name] && (
              <p>
                <a href={ui.href(DETAILS[name].path)}>{ui.t(DETAILS[name].title)}</a>
              </p>
            )}
          </>
        )}
      </div>
    </li>
  );
}

const jobs = { path: paths.adminJobs(), title: "jobs.title" };
/** Pages that say more about a check. */
const DETAILS: Record<string, { path: string; title: string }> = {
  backup: { path: paths.adminBackups(), title: "backups.title" },
  jobs_late: jobs,
  jobs_set_aside: jobs,
};

/** Problems that have a remedy other than that of their check. */
const REMEDIES: Record<string, string> = {
  "health.unknown": "admin.remedy.store",
  "health.certificate": "admin.remedy.certificate",
  "health.unexpected": "admin.remedy.unexpected",
  "health.lost_lines": "admin.remedy.lost_lines",
  "health.backups_left": "admin.remedy.backups_left",
  "health.backup_upload": "backups.remedy.upload",
  "health.backup_command": "backups.remedy.command",
  "health.backup_test": "backups.remedy.test",
};

const remedyOf = (name: string, reason: SentenceOrText): string =>
  typeof reason !== "string" && REMEDIES[reason.key] || `admin.remedy.${name}`;

function ServerFacts(
  { ui, server, backupCommand }: Pick<HealthPageProps, "ui" | "server" | "backupCommand">,
) {
  const { started, memoryBytes, store, data, tasks, backup } = server;
  return (
    <>
      <Fact label={ui.t("admin.facts.started")}>
        <Time ui={ui} at={started} />
      </Fact>
      <Fact label={ui.t("admin.facts.memory")}>{ui.megabytes(memoryBytes)}</Fact>
      <Fact label={ui.t("admin.facts.tasks")}>
        {tasks
          ? <a href={ui.href(paths.queue())}>{ui.t("admin.tasks", { ...tasks })}</a>
          : <Dash />}
      </Fact>
      {store.isShared && tasks && (
        <Fact label={ui.t("admin.facts.servers")}>{ui.number(tasks.servers)}</Fact>
      )}
      <Fact label={ui.t("admin.check.store")}>
        <code>{store.place}</code> {store.bytes !== null && ui.megabytes(store.bytes)}
      </Fact>
      <Fact label={ui.t("admin.check.disk")}>
        <code>{data.place}</code> {data.freeBytes !== null &&
          ui.t("admin.free", { megabytes: Math.floor(data.freeBytes / 1_000_000) })}
      </Fact>
      {!store.isShared && (
        <Fact label={ui.t("admin.facts.backup")}>
          {backup
            ? (
              <>
                <Time ui={ui} at={backup.at} />, {ui.megabytes(backup.bytes)}
              </>
            )
            : (
              <Sentence
                ui={ui}
                of="admin.no_backup"
                parts={{ command: <code>{backupCommand}</code> }}
              />
            )}
        </Fact>
      )}
    </>
  );
}

/** Says what retention does, and for which project, or what it did last. */
function RemovalFact({ ui, removal }: { ui: Ui; removal: Removal }) {
  const { project, tasks, at } = removal;
  const number = ui.number(tasks);
  const text = project === null
    ? ui.t("admin.removal.done", { number })
    : ui.t("admin.removal.running", { name: project, number });
  return (
    <Fact label={ui.t("projects.form.retention")}>
      <span>{text}</span> <Time ui={ui} at={at} />
    </Fact>
  );
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
