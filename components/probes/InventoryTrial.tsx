import type { InventoryContents } from "../../lib/execution/ansible/graph.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { inventoryLabels } from "../inventories/InventoryFields.tsx";
import { Names, Trial } from "./Trial.tsx";
import type { HostAnswers } from "../../lib/execution/ansible/ping.ts";

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

interface InventoryPingProps {
  ui: Ui;
  ping: SubmittedForm<HostAnswers> | null;
}

const FAILURES_MAX = 50;

/** Pings the hosts of the typed inventory, and shows which of them answer, failures first. */
export function InventoryPing({ ui, ping }: InventoryPingProps) {
  return (
    <Trial
      ui={ui}
      way="ping"
      button={ui.t("probes.ping.try")}
      hint={ui.t("probes.ping.hint")}
      labels={inventoryLabels(ui)}
      trial={ping}
      isWhole={({ answers, isCut }) => !isCut && answers.every(({ state }) => state === "answered")}
    >
      {({ answers, isCut }) => {
        const answered = answers.filter(({ state }) => state === "answered");
        const failed = answers.filter(({ state }) => state !== "answered");
        const count = answered.length;
        return (
          <>
            <p class="font-semibold">
              {ui.t("probes.ping.answered", { count, total: answers.length })}
            </p>
            {isCut && <p>{ui.t("probes.ping.cut")}</p>}
            {failed.length > 0 && (
              <ul class="trial-failures">
                {failed.slice(0, FAILURES_MAX).map(({ host, state, said }) => (
                  <li>
                    <strong>{ui.t(`probes.ping.${state}`, { host })}</strong>
                    <pre>{said}</pre>
                  </li>
                ))}
                {failed.length > FAILURES_MAX && (
                  <li>{ui.t("probes.more", { count: failed.length - FAILURES_MAX })}</li>
                )}
              </ul>
            )}
            <Names
              ui={ui}
              title={ui.t("probes.ping.names")}
              names={answered.map(({ host }) => host)}
            />
          </>
        );
      }}
    </Trial>
  );
}
