import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { type RunnersPlace, RunnersTitle } from "./place.tsx";
import { RunnerCommands } from "./RunnerCommands.tsx";

interface RegisterDialogProps {
  ui: Ui;
  place: RunnersPlace;
  /** The runner that the token registers; null for a reusable token. */
  runner: { id: number; name: string } | null;
  token: string;
  commands: string[];
}

/** A new registration token, which is shown once, and the commands that use it. */
export function RegisterDialog({ ui, place, runner, token, commands }: RegisterDialogProps) {
  const { projectId } = place;
  const end = ui.href(
    runner ? paths.runner(projectId, runner.id) : paths.runners(projectId, "/tokens"),
  );
  const title = runner
    ? ui.t("runners.register", { name: runner.name })
    : ui.t("runners.tokens.made");
  return (
    <>
      <RunnersTitle ui={ui} place={place} parts={[title]} />
      <Dialog ui={ui} id="register" title={title} width="large" close={end} once>
        <Alert kind="success">
          {ui.t(runner ? "runners.token_once" : "runners.tokens.token_once")}
        </Alert>
        <RunnerCommands ui={ui} commands={[token]} />
        <p>{ui.t("runners.type_commands")}</p>
        <RunnerCommands ui={ui} commands={commands} />
        <div class="form-bar">
          <ButtonLink kind="primary" href={end} cancels>{ui.t("runners.done")}</ButtonLink>
        </div>
      </Dialog>
    </>
  );
}
