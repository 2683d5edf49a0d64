import { paths } from "../../lib/base/paths.ts";
import type { TableState } from "../../lib/base/lists/table_state.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { KnownHost } from "../../lib/resources/known_hosts/schema.ts";
import { Button } from "../ui/Button.tsx";
import { actionsColumn, nameColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { KeyTabs } from "./KeyTabs.tsx";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";

/** The keys of a host. Each line breaks anywhere, so that the first one has two lines at most. */
function Fingerprints({ lines }: { lines: string[] }) {
  return (
    <div class="clamp fingerprints" title={lines.join("\n")}>
      {lines.map((line, n) => <div key={n}>{line}</div>)}
    </div>
  );
}

const linesOf = ({ keys }: KnownHost): string[] =>
  keys.map(({ type, fingerprint }) => `${type} ${fingerprint}`);

interface KnownHostsProps {
  ui: Ui;
  shell: Shell;
  hosts: KnownHost[];
  state: TableState;
}

/** Hosts whose keys are pinned. People with the permission get a button that forgets one. */
export function KnownHosts({ ui, shell, hosts, state }: KnownHostsProps) {
  const { id, name } = shell.project;
  const title = ui.t("known_hosts.title");
  const columns: ListColumn<KnownHost>[] = [
    nameColumn(ui, "known_hosts.host", ({ host }) => host, { id: "host", code: true }),
    {
      label: ui.t("known_hosts.fingerprint"),
      kind: "text",
      value: (host) => linesOf(host).join("\n"),
      cell: (host) => <Fingerprints lines={linesOf(host)} />,
    },
  ];
  const actions = actionsColumn<KnownHost>(
    ui,
    ({ host }) => (
      <form method="post" action={ui.href(paths.knownHosts(id))}>
        <Button name="host" value={host} aria-label={ui.t("known_hosts.forget_named", { host })}>
          {ui.t("known_hosts.forget")}
        </Button>
      </form>
    ),
  );
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} />
      <KeyTabs ui={ui} projectId={id} current="known_hosts" />
      <p class="text-muted max-w-2xl">{ui.t("known_hosts.about")}</p>
      <FilteredTable
        ui={ui}
        id="known-hosts"
        path={ui.href(paths.knownHosts(id))}
        state={state}
        noMatch="known_hosts.no_match"
        caption={title}
        rows={hosts}
        columns={may(shell, "manage_keys") ? [...columns, actions] : columns}
        empty={<EmptyState icon="keys" title={ui.t("known_hosts.empty")} />}
      />
    </>
  );
}
