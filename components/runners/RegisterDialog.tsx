import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { INSTALLS, type RunnerInstall } from "./installs.ts";
import { type RunnersPlace, RunnersTitle } from "./place.tsx";
import { RunnerCommands } from "./RunnerCommands.tsx";
import { RunnerWait } from "./RunnerWait.tsx";

interface RegisterDialogProps {
  ui: Ui;
  place: RunnersPlace;
  /** The runner that the token registers; null for a reusable token. */
  runner: { id: number; name: string; online: boolean } | null;
  token: string;
  install: RunnerInstall;
}

/**
 * A new registration token, which is shown once, and how to install a runner that uses it. Waits
 * until the runner has connected. Commands that only work on this machine are offered as such.
 */
export function RegisterDialog({ ui, place, runner, token, install }: RegisterDialogProps) {
  const { projectId } = place;
  const { address, problem } = install;
  const end = ui.href(
    runner ? paths.runner(projectId, runner.id) : paths.runners(projectId, "/tokens"),
  );
  const title = runner
    ? ui.t("runners.register", { name: runner.name })
    : ui.t("runners.tokens.made");
  return (
    <>
      <RunnersTitle ui={ui} place={place} parts={[title]} />
      <Dialog ui={ui} id="register" title={title} width="wide" close={end} once>
        <Alert kind="success">
          {ui.t(runner ? "runners.token_once" : "runners.tokens.token_once")}
        </Alert>
        <RunnerCommands ui={ui} commands={[token]} />
        {problem && <Alert kind="warning">{ui.t(`runners.${problem}`, { address })}</Alert>}
        {problem === "loopback"
          ? (
            <details id="this-machine" class="reveal my-4">
              <summary>{ui.t("runners.this_machine")}</summary>
              <Installs ui={ui} install={install} name={runner?.name ?? ""} />
            </details>
          )
          : <Installs ui={ui} install={install} name={runner?.name ?? ""} />}
        {runner && <RunnerWait ui={ui} projectId={projectId} runner={runner} />}
        <div class="form-bar">
          <ButtonLink kind="primary" href={end} cancels>{ui.t("runners.done")}</ButtonLink>
        </div>
      </Dialog>
    </>
  );
}

/** The commands for each way to install a runner. */
const Installs = (
  { ui, install, name: runner }: { ui: Ui; install: RunnerInstall; name: string },
) => (
  <>
    <p>{ui.t("runners.type_commands")}</p>
    {Object.entries(INSTALLS).map(([name, commandsFor], n) => (
      <details
        key={n}
        class="runner-install reveal"
        name="runner-install"
        open={name === install.kind}
      >
        <summary>{ui.t(`runners.installs.${name}`)}</summary>
        <RunnerCommands ui={ui} commands={commandsFor({ ...install, name: runner })} />
      </details>
    ))}
  </>
);
