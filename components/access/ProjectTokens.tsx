import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ProjectTokenView } from "../../lib/people/project_tokens/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Chip } from "../ui/Chip.tsx";
import { actionsColumn, nameColumn, stateColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { limitWords, type Names, scopeWords } from "./TokenLimits.tsx";
import { LastUse, Limits } from "./Tokens.tsx";

interface ProjectTokensProps {
  ui: Ui;
  projectId: number;
  tokens: ProjectTokenView[];
  /** Names of the templates that tokens are limited to. */
  templates: Names;
}

const CHIPS = {
  active: { icon: "check", tone: "success" },
  expired: { icon: "stopped", tone: "neutral" },
  suspended: { icon: "lock", tone: "warning" },
} as const;

/** The tokens of a project with their states, and buttons that keep and revoke them. */
export function ProjectTokens({ ui, projectId, tokens, templates }: ProjectTokensProps) {
  const names = { projects: new Map(), templates };
  return (
    <Table<ProjectTokenView>
      caption={ui.t("project_tokens.title")}
      rows={tokens}
      rowId={({ id }) => `token-${id}`}
      empty={<p class="text-muted m-0">{ui.t("project_tokens.none")}</p>}
      columns={[
        nameColumn(ui, "tokens.name", ({ name }) => name),
        stateColumn(ui, "project_tokens.state", (row) => <TokenState ui={ui} row={row} />),
        { label: ui.t("tokens.scopes"), named: true, cell: (row) => scopeWords(ui, row) },
        {
          label: ui.t("tokens.limits"),
          kind: "text",
          cell: (row) => <Limits words={limitWords(ui, row, names)} />,
        },
        {
          label: ui.t("project_tokens.created_by"),
          named: true,
          cell: ({ created_by }) => created_by,
        },
        {
          label: ui.t("tokens.last_used"),
          named: true,
          cell: ({ last_used, last_address }) => (
            <LastUse ui={ui} at={last_used} address={last_address} />
          ),
        },
        whenColumn(ui, "tokens.expires", "expires_at"),
        actionsColumn(ui, (row) => <TokenButtons ui={ui} projectId={projectId} row={row} />),
      ]}
    />
  );
}

const TokenState = ({ ui, row: { state, reason } }: { ui: Ui; row: ProjectTokenView }) => (
  <>
    <Chip status={state} {...CHIPS[state]}>{ui.t(`project_tokens.states.${state}`)}</Chip>
    {reason && (
      <span class="block text-muted text-sm">{ui.t(`project_tokens.reason.${reason}`)}</span>
    )}
  </>
);

interface ButtonsProps {
  ui: Ui;
  projectId: number;
  row: ProjectTokenView;
}

const TokenButtons = ({ ui, projectId, row: { id, name, state } }: ButtonsProps) => {
  const form = (part: "/keep" | "/revoke", label: string) => (
    <form method="post" action={ui.href(paths.projectTokens(projectId, part))} data-stay>
      <Button name="token" value={id}>
        {label}
        <span class="sr-only">{` ${name}`}</span>
      </Button>
    </form>
  );
  return (
    <>
      {state === "suspended" && form("/keep", ui.t("project_tokens.keep"))}
      {form("/revoke", ui.t("tokens.revoke"))}
    </>
  );
};
