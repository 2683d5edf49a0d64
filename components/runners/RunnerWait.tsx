import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";

interface RunnerWaitProps {
  ui: Ui;
  projectId: number | null;
  runner: { id: number; online: boolean };
}

/** Whether a runner that is being installed has connected. Turns green when it does. */
export function RunnerWait({ ui, projectId, runner: { id, online } }: RunnerWaitProps) {
  const connected = ui.t("runners.connected");
  return (
    <div
      id="runner-wait"
      class="runner-wait"
      data-live={ui.href(paths.runner(projectId, id, "/connection"))}
      data-told={online ? connected : undefined}
    >
      {online ? <Alert kind="success">{connected}</Alert> : (
        <Alert>
          {ui.t("runners.waiting")}
          <noscript>
            {" "}
            <a href={ui.href(paths.runner(projectId, id))}>{ui.t("runners.look")}</a>
          </noscript>
        </Alert>
      )}
    </div>
  );
}
