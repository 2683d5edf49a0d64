import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { InviteStatus, InviteView } from "../../lib/people/invites/schema.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Chip, type ChipStyle } from "../ui/Chip.tsx";
import { Dash, Name } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn, stateColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { PlannedTime } from "../ui/Time.tsx";
import { roleLabel } from "@/lib/model/role_label.ts";

interface InviteTableProps {
  ui: Ui;
  projectId: number;
  invites: InviteView[];
  /** Names of the roles that are not fixed, by slug. */
  names: ReadonlyMap<string, string | undefined>;
}

const STYLES: Record<InviteStatus, ChipStyle> = {
  pending: { icon: "waiting", tone: "info" },
  accepted: { icon: "success", tone: "success" },
  declined: { icon: "stopped", tone: "warning" },
  expired: { icon: "schedules", tone: "neutral" },
};

/** The person of an invitation: the address, or the name of the account. */
export const invitedPerson = ({ email, user_name, user_id }: InviteView): string =>
  email ?? user_name ?? `#${user_id}`;

/** Invitations that no one has accepted, with buttons that replace the link and withdraw it. */
export const InviteTable = ({ ui, projectId, invites, names }: InviteTableProps) => (
  <section aria-labelledby="invites-title" class="grid grid-cols-1 gap-2">
    <h2 id="invites-title" class="m-0">{ui.t("invites.list")}</h2>
    <Table<InviteView>
      caption={ui.t("invites.list")}
      rows={invites}
      rowId={({ id }) =>
        `invite-${id}`}
      columns={[
        nameColumn(ui, "invites.person", invitedPerson),
        {
          label: ui.t("team.role"),
          cell: ({ role }) =>
            roleLabel(ui, role, names.get(role)),
        },
        stateColumn(ui, "invites.status", (invite) => <InviteState ui={ui} invite={invite} />),
        {
          label: ui.t("invites.inviter"),
          kind: "text",
          named: true,
          cell: ({ inviter_name }) => <Name text={inviter_name} />,
        },
        {
          label: ui.t("invites.ends"),
          named: true,
          cell: ({ status, expires_at }) =>
            status === "declined" ? <Dash /> : <PlannedTime ui={ui} at={expires_at} />,
        },
        actionsColumn(ui, (invite) => <InviteActions {...{ ui, projectId, invite }} />),
      ]}
    />
  </section>
);

/** The status, and why no one can accept a pending invitation. */
const InviteState = ({ ui, invite }: { ui: Ui; invite: InviteView }) => {
  const { status, inviter_may } = invite;
  const isVoid = status === "pending" && !inviter_may;
  return (
    <>
      <Chip status={status} {...isVoid ? { icon: "warning", tone: "warning" } : STYLES[status]}>
        {ui.t(isVoid ? "invites.void" : `invites.statuses.${status}`)}
      </Chip>
      {isVoid && (
        <span class="field-hint block">
          {ui.t("invites.void_why")}
        </span>
      )}
    </>
  );
};

function InviteActions({ ui, projectId, invite }: Omit<InviteTableProps, "invites" | "names"> & {
  invite: InviteView;
}) {
  const { id, status } = invite;
  const name = invitedPerson(invite);
  return (
    <span class="flex flex-wrap gap-2">
      {status !== "declined" && (
        <form method="post" action={ui.href(paths.teamInvite(projectId, id))}>
          <Button>
            <span>
              {ui.t("invites.new_link")} <span class="sr-only">{name}</span>
            </span>
          </Button>
        </form>
      )}
      <ButtonLink
        kind="danger"
        href={ui.href(paths.teamInvite(projectId, id, "delete"))}
        over
      >
        <span>
          {ui.t(status === "pending" ? "invites.withdraw" : "invites.forget")}{" "}
          <span class="sr-only">{name}</span>
        </span>
      </ButtonLink>
    </span>
  );
}
