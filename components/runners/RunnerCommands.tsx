import type { Ui } from "@/lib/i18n/ui.ts";
import { CopyButton } from "../ui/CopyButton.tsx";

/** Commands to type on the machine of a runner, each on a line of its own. */
export const RunnerCommands = ({ ui, commands }: { ui: Ui; commands: string[] }) => (
  <div class="runner-commands">
    {commands.map((command, n) => (
      <div key={n}>
        <code>{command}</code>
        <CopyButton
          what={{ text: command }}
          label={ui.t("runners.copy")}
          copied={ui.t("runners.copied")}
        />
      </div>
    ))}
  </div>
);
