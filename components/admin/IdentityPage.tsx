import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IdentityKeyView, TaskIdentityView } from "../../lib/task_identity/schema.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { AdminHeader } from "./AdminHeader.tsx";

/** The keys that sign the identities of tasks, and the addresses that verifiers read. */
export const IdentityPage = ({ ui, issuer, keys }: { ui: Ui } & TaskIdentityView) => (
  <>
    <AdminHeader ui={ui} title={ui.t("task_identity.title")} />
    <div class="grid grid-cols-1 gap-6">
      <p class="m-0 max-w-2xl">{ui.t("task_identity.about")}</p>
      {issuer === null
        ? <Alert kind="warning">{ui.t("task_identity.no_address")}</Alert>
        : <Addresses ui={ui} issuer={issuer} />}
      <KeysTable ui={ui} keys={keys} />
      <section class="card" aria-labelledby="replace-keys">
        <h2 id="replace-keys" class="m-0">{ui.t("task_identity.replace")}</h2>
        <p>{ui.t("task_identity.replace_hint")}</p>
        <form method="post" action={ui.href(paths.adminIdentity())}>
          <Button kind="danger" icon="refresh">{ui.t("task_identity.replace")}</Button>
        </form>
      </section>
    </div>
  </>
);

const Addresses = ({ ui, issuer }: { ui: Ui; issuer: string }) => (
  <section class="card">
    <dl class="settings">
      {[
        ["issuer", issuer],
        ["discovery", `${issuer}/.well-known/openid-configuration`],
        ["jwks", `${issuer}/.well-known/jwks.json`],
      ].map(([name, address], n) => (
        <div key={n} class="setting">
          <dt>{ui.t(`task_identity.${name}`)}</dt>
          <dd class="setting-value">
            <code>{address}</code>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

const KeysTable = ({ ui, keys }: { ui: Ui; keys: IdentityKeyView[] }) => (
  <Table<IdentityKeyView>
    caption={ui.t("task_identity.keys")}
    rows={keys}
    rowId={({ kid }) => `key-${kid}`}
    columns={[
      nameColumn(ui, "task_identity.kid", ({ kid }) => kid, { code: true }),
      {
        label: ui.t("task_identity.state"),
        named: true,
        cell: ({ state }) => ui.t(`task_identity.states.${state}`),
      },
      whenColumn(ui, "task_identity.created", "created"),
      whenColumn(ui, "task_identity.signs_from", "signs_from"),
    ]}
  />
);
