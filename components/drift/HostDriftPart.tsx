import { ChangesOfHost } from "./DriftedChanges.tsx";
import { DriftTable } from "./DriftTable.tsx";
import type { HostChanges } from "@/lib/drift/host_changes.ts";
import type { HostDrift } from "@/lib/drift/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface HostDriftPartProps {
  ui: Ui;
  projectId: number;
  rows: HostDrift[];
  /** The changes that the host needs. */
  changes: HostChanges[];
  here: string;
}

/** The states of a host for the templates that are checked; nothing if there are none. */
export const HostDriftPart = ({ ui, rows, changes, ...props }: HostDriftPartProps) =>
  rows.length === 0 ? null : (
    <section id="drift" aria-labelledby="drift-title">
      <h2 id="drift-title">{ui.t("sections.drift")}</h2>
      <DriftTable {...props} ui={ui} rows={rows} without="host" />
      {changes.map((its, n) => (
        <ChangesOfHost
          key={n}
          ui={ui}
          projectId={props.projectId}
          changes={its}
        />
      ))}
    </section>
  );
