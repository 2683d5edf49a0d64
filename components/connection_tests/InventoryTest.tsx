import type { InventoryContents } from "../../lib/execution/ansible/inventory/graph.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";
import { inventoryLabels } from "../inventories/InventoryFields.tsx";
import { ConnectionTest, Names } from "./ConnectionTest.tsx";
import type { HostAnswers } from "../../lib/execution/ansible/inventory/ping.ts";

interface InventoryTestProps {
  ui: Ui;
  test: SubmittedForm<InventoryContents> | null;
}

/** Lets Ansible read the typed inventory, and shows the result. */
export function InventoryTest({ ui, test }: InventoryTestProps) {
  return (
    <ConnectionTest
      ui={ui}
      button={ui.t("connection_tests.inventory.test")}
      hint={ui.t("connection_tests.inventory.hint")}
      labels={inventoryLabels(ui)}
      test={test}
      isWhole={({ warnings }) => warnings.length === 0}
    >
      {({ groups, hosts, warnings }) => (
        <>
          <p class="font-semibold">
            {hosts === 0
              ? ui.t("connection_tests.inventory.empty")
              : ui.t("connection_tests.inventory.read", { count: hosts })}
          </p>
          {warnings.length > 0 && (
            <>
              <p>{ui.t("connection_tests.inventory.warnings")}</p>
              <pre>{warnings.join("\n")}</pre>
            </>
          )}
          {groups.map(({ name, hosts }) => (
            <Names
              ui={ui}
              title={ui.t("connection_tests.inventory.group", { name, count: hosts.length })}
              names={hosts}
            />
          ))}
        </>
      )}
    </ConnectionTest>
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
    <ConnectionTest
      ui={ui}
      way="ping"
      button={ui.t("connection_tests.ping.test")}
      hint={ui.t("connection_tests.ping.hint")}
      labels={inventoryLabels(ui)}
      test={ping}
      isWhole={({ answers, isCut }) => !isCut && answers.every(({ state }) => state === "answered")}
    >
      {({ answers, isCut }) => {
        const answered = answers.filter(({ state }) => state === "answered");
        const failed = answers.filter(({ state }) => state !== "answered");
        const count = answered.length;
        return (
          <>
            <p class="font-semibold">
              {ui.t("connection_tests.ping.answered", { count, total: answers.length })}
            </p>
            {isCut && <p>{ui.t("connection_tests.ping.cut")}</p>}
            {failed.length > 0 && (
              <ul class="connection-test-failures">
                {failed.slice(0, FAILURES_MAX).map(({ host, state, said }) => (
                  <li>
                    <strong>{ui.t(`connection_tests.ping.${state}`, { host })}</strong>
                    <pre>{said}</pre>
                  </li>
                ))}
                {failed.length > FAILURES_MAX && (
                  <li>{ui.t("connection_tests.more", { count: failed.length - FAILURES_MAX })}</li>
                )}
              </ul>
            )}
            <Names
              ui={ui}
              title={ui.t("connection_tests.ping.names")}
              names={answered.map(({ host }) => host)}
            />
          </>
        );
      }}
    </ConnectionTest>
  );
}
