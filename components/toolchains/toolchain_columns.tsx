import type { Ui } from "../../lib/i18n/ui.ts";
import type { ToolchainView } from "../../lib/resources/toolchains/schema.ts";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { Dash } from "../ui/lists/cells.tsx";

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

/** Whether this server has built a toolchain, and the version of its Ansible. */
function ToolchainState({ ui, toolchain, href }: {
  ui: Ui;
  /** The page of its build. */
  href?: string;
  toolchain: Pick<ToolchainView, "kind" | "state" | "ansible_version" | "path" | "image">;
}) {
  const { kind, state, ansible_version, path, image } = toolchain;
  const place = kind === "path" ? path : image;
  if (place) return <code class="clamp" title={place}>{place}</code>;
  if (state === null) return <Dash />;
  const version = state === "ready" && /\[([^[\]]+)\]/.exec(ansible_version ?? "")?.[1];
  const text = ui.t(`toolchains.states.${state}`);
  const said = version ? ui.labelled(text, version) : text;
  return href ? <a href={href} data-over>{said}</a> : <span>{said}</span>;
}
