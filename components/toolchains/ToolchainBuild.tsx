import type { Ui } from "../../lib/i18n/ui.ts";
import type { Build } from "../../lib/resources/toolchains/builds.ts";
import { Alert } from "../ui/Alert.tsx";

/** State of a toolchain on this server, and the log of its last build. */
export function ToolchainBuild({ ui, build }: { ui: Ui; build: Build }) {
  const { state, reason, log } = build;
  return (
    <div id="toolchain-build">
      {state && (
        <p role="status">
          {ui.labelled(
            ui.t("toolchains.state"),
            ui.t(`toolchains.states.${state}`),
          )}
        </p>
      )}
      {reason && (
        <Alert kind="danger">
          <p>{ui.tell(reason)}</p>
        </Alert>
      )}
      {log !== "" && (
        <section aria-labelledby="toolchain-log-title">
          <h2 id="toolchain-log-title">{ui.t("toolchains.log")}</h2>
          <pre id="toolchain-log" tabIndex={0} class="max-h-56 overflow-y-auto">{log}</pre>
        </section>
      )}
    </div>
  );
}
