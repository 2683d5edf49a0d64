import type { Ui } from "../../lib/i18n/ui.ts";
import type { ToolchainView } from "../../lib/resources/toolchains/schema.ts";
import type { ListColumn } from "../ui/arrange_rows.ts";
import { Dash } from "../ui/cells.tsx";
import { ToolchainState } from "./ToolchainState.tsx";

/** The version of a toolchain, and its state. It may have a link to the page of its build. */
export const toolchainColumns = <Row extends ToolchainView>(
  ui: Ui,
  buildOf?: (row: Row) => string,
): ListColumn<Row>[] => [
  {
    id: "ansible_core",
    label: "ansible-core",
    value: ({ ansible_core }) => ansible_core,
    cell: ({ ansible_core }) => ansible_core ? <code>{ansible_core}</code> : <Dash />,
  },
  {
    id: "state",
    label: ui.t("toolchains.state"),
    named: true,
    value: ({ state }) => state,
    cell: (toolchain) => (
      <ToolchainState
        ui={ui}
        toolchain={toolchain}
        href={buildOf && ui.href(buildOf(toolchain))}
      />
    ),
  },
];
