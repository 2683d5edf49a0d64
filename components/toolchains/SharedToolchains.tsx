import type { Ui } from "../../lib/i18n/ui.ts";
import type { ToolchainView } from "../../lib/resources/toolchains/schema.ts";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { toolchainColumns } from "./toolchain_columns.tsx";

/** The toolchains of the server, on the page of a project that can choose them. */
export function SharedToolchains({ ui, rows }: { ui: Ui; rows: ToolchainView[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="shared-toolchains">
      <h2 id="shared-toolchains">{ui.t("toolchains.shared")}</h2>
      <Table<ToolchainView>
        caption={ui.t("toolchains.shared")}
        rows={rows}
        rowId={({ id }) => `toolchains-${id}`}
        columns={[nameColumn(ui, "resources.name", ({ name }) => name), ...toolchainColumns(ui)]}
      />
    </section>
  );
}
