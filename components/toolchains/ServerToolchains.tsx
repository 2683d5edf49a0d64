import { paths } from "../../lib/base/paths.ts";
import type { TableState } from "../../lib/base/lists/table_state.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ServerToolchainView } from "../../lib/resources/toolchains/schema.ts";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { changeColumn, nameColumn } from "../ui/lists/columns.tsx";
import { toolchainColumns } from "./toolchain_columns.tsx";

interface ServerToolchainsProps {
  ui: Ui;
  rows: ServerToolchainView[];
  /** Names of the projects that use each of them. */
  users: ReadonlyMap<number, string[]>;
  state: TableState;
}

/** Leads to the form of a new toolchain of the server. */
export const NewServerToolchain = ({ ui }: { ui: Ui }) => (
  <ButtonLink kind="primary" icon="plus" href={ui.href(paths.serverToolchain("new"))} over>
    {ui.t("resources.toolchains.new")}
  </ButtonLink>
);

/** The toolchains of the server, which every project can choose. */
export function ServerToolchains({ ui, rows, users, state }: ServerToolchainsProps) {
  const href = ({ id }: { id: number }) => ui.href(paths.serverToolchain(id));
  const ways = { href, over: true };
  return (
    <FilteredTable
      ui={ui}
      id="toolchains"
      path={ui.href(paths.serverToolchains())}
      state={state}
      caption={ui.t("sections.toolchains")}
      rows={rows}
      rowId={({ id }) => `toolchains-${id}`}
      columns={[
        nameColumn<ServerToolchainView>(ui, "resources.name", ({ name }) => name, ways),
        ...toolchainColumns<ServerToolchainView>(
          ui,
          ({ id }) => paths.serverToolchain(id, "/build"),
        ),
        usersColumn(ui, users),
        changeColumn<ServerToolchainView>(ui, ways),
      ]}
      noMatch="resources.toolchains.no_match"
      empty={
        <EmptyState icon="toolchains" title={ui.t("resources.toolchains.empty")}>
          <p class="m-0 mb-4">{ui.t("resources.toolchains.about")}</p>
          <NewServerToolchain ui={ui} />
        </EmptyState>
      }
    />
  );
}

/** The projects that use a toolchain, and whether it is the default. */
function usersColumn(
  ui: Ui,
  users: ReadonlyMap<number, string[]>,
): ListColumn<ServerToolchainView> {
  return {
    id: "uses",
    label: ui.t("references.used_by"),
    kind: "text",
    named: true,
    value: ({ id, is_default }) => (users.get(id)?.length ?? 0) + (is_default ? 1 : 0),
    usual: "desc",
    cell: ({ id, name, is_default }) => {
      const projects = users.get(id);
      const text = projects && ui.list(projects);
      if (!text && !is_default) return <Dash />;
      return (
        <>
          {is_default && <div>{ui.t("toolchains.default")}</div>}
          {text && (
            <a
              class="clamp"
              href={ui.href(paths.serverToolchain(id, "/uses"))}
              data-over=""
              title={text}
            >
              {text} <span class="sr-only">{name}</span>
            </a>
          )}
        </>
      );
    },
  };
}
