import type { InventoryContents } from "../../lib/execution/ansible/graph.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { inventoryLabels } from "../inventories/InventoryFields.tsx";
import { Names, Trial } from "./Trial.tsx";

interface InventoryTrialProps {
  ui: Ui;
  trial: SubmittedForm<InventoryContents> | null;
}

/** Lets Ansible read the typed inventory, and shows the result. */
export function InventoryTrial({ ui, trial }: InventoryTrialProps) {
  return (
    <Trial
      ui={ui}
      button={ui.t("probes.inventory.try")}
      hint={ui.t("probes.inventory.hint")}
      labels={inventoryLabels(ui)}
      trial={trial}
    >
      {({ groups, hosts }) => (
        <>
          <p class="font-semibold">
            {hosts === 0
              ? ui.t("probes.inventory.empty")
              : ui.t("probes.inventory.read", { count: hosts })}
          </p>
          {groups.map(({ name, hosts }) => (
            <Names
              ui={ui}
              title={ui.t("probes.inventory.group", { name, count: hosts.length })}
              names={hosts}
            />
          ))}
        </>
      )}
    </Trial>
  );
}
