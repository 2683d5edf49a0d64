import type { ComponentChildren } from "preact";
import type { Removal } from "../../lib/maintenance/retention/progress.ts";
import type { ServerState } from "../../lib/monitoring/health/server_state.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";
import { AdminHeader } from "./AdminHeader.tsx";
import { ChecksSection } from "./ChecksSection.tsx";

interface HealthPageProps {
  ui: Ui;
  server: ServerState;
  version: string;
  /** Output of `ansible --version`; null if Ansible is not installed. */
  ansible: string | null;
  /** The removal of old tasks; null if there was none. */
  removal: Removal | null;
  /** The command that backs the server up, as its operators type it. */
  backupCommand: string;
}

const KIND = { ok: "success", degraded: "warning", failing: "danger" } as const;

/** The state of this server, with what to do about each problem. */
export function HealthPage(
  { ui, server, version, ansible, removal, backupCommand }: HealthPageProps,
) {
  const { status, checks } = server;
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
        <ChecksSection ui={ui} checks={checks} />
        <section class="card" aria-labelledby="server">
          <h2 id="server" class="m-0">{ui.t("admin.server")}</h2>
          <dl class="health-facts">
            <Fact label={ui.t("admin.facts.version")}>{version}</Fact>
            <Fact label={ui.t("doctor.check.ansible")}>
              {ansible === null ? <Dash /> : <code>{ansible.split("\n", 1)[0]}</code>}
            </Fact>
            <ServerFacts ui={ui} server={server} backupCommand={backupCommand} />
            {removal && <RemovalFact ui={ui} removal={removal} />}
          </dl>
        </section>
      </div>
    </>
  );
}

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
      <Fact label={ui.t("doctor.check.store")}>
        <code>{store.place}</code> {store.bytes !== null && ui.megabytes(store.bytes)}
      </Fact>
      <Fact label={ui.t("doctor.check.folder")}>
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
