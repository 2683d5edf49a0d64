import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { KnownHost } from "../../lib/parts/known_hosts/schema.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Breadcrumb, PageHeader, Title } from "../ui/Page.tsx";
import { type Column, Table } from "../ui/Table.tsx";

/** Hosts whose keys are pinned. People with the permission get a button that forgets one. */
export function KnownHosts({ ui, shell, hosts }: { ui: Ui; shell: Shell; hosts: KnownHost[] }) {
  const { id, name } = shell.project;
  const title = ui.t("known_hosts.title");
  const keyStore = { label: ui.t("sections.keys"), href: ui.href(paths.section(id, "keys")) };
  const columns: Column<KnownHost>[] = [
    {
      label: ui.t("known_hosts.host"),
      kind: "main",
      cell: ({ host }) => <code class="clamp" title={host}>{host}</code>,
    },
    {
      label: ui.t("known_hosts.fingerprint"),
      kind: "text",
      cell: ({ keys }) => (
        keys.map(({ type, fingerprint }, n) => <div key={n}>{`${type} ${fingerprint}`}</div>)
      ),
    },
  ];
  const actions: Column<KnownHost> = {
    label: ui.t("lists.actions"),
    kind: "actions",
    cell: ({ host }) => (
      <form method="post" action={ui.href(paths.knownHosts(id))}>
        <Button name="host" value={host} aria-label={ui.t("known_hosts.forget_named", { host })}>
          {ui.t("known_hosts.forget")}
        </Button>
      </form>
    ),
  };
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} above={<Breadcrumb ui={ui} crumbs={[keyStore]} />} />
      <p class="text-muted max-w-2xl">{ui.t("known_hosts.about")}</p>
      <Table
        caption={title}
        rows={hosts}
        columns={may(shell, "manage_resources") ? [...columns, actions] : columns}
        empty={<EmptyState icon="keys" title={ui.t("known_hosts.empty")} />}
      />
    </>
  );
}
