import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Dialog } from "../ui/Dialog.tsx";

interface SignInHelpProps {
  ui: Ui;
  /** Returns a command as the server's operators type it. */
  operatorCommand: (command: string) => string;
  /** Query of the sign-in page. */
  query: string;
}

/** Explains to the server's administrator how to let people in again. */
export function SignInHelp({ ui, operatorCommand, query }: SignInHelpProps) {
  const password = examplePassword();
  const steps = [
    ["first_link", "user first-link"],
    ["list", "user list"],
    ["password", `user password --login user123 --password ${password}`],
    [
      "add",
      "user add --admin --login user123 --name User123 --email user123@example.com " +
      `--password ${password}`,
    ],
    ["link_command", "user link --login user123"],
  ];
  return (
    <Dialog
      ui={ui}
      id="sign-in-help"
      title={ui.t("sign_in.help.title")}
      close={ui.href(paths.signIn() + query)}
    >
      <p class="m-0 mb-3 text-muted">{ui.t("sign_in.help.where")}</p>
      <ol class="m-0 pl-5 grid gap-3">
        {steps.map(([step, command], index) => (
          <li>
            {ui.t(`sign_in.help.${step}`)}
            <pre
              tabIndex={0}
              aria-label={ui.t("sign_in.help.command", { number: index + 1 })}
            >{operatorCommand(command)}</pre>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Ten random letters and digits, without those that look alike. */
const examplePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
