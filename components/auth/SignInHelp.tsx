import { Icon } from "../ui/Icon.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";

/** Explains to the server's administrator how to let people in again. Opens without a script. */
export function SignInHelp({ ui }: { ui: Ui }) {
  const password = examplePassword();
  const steps = [
    ["list", "deno task user list"],
    ["password", `deno task user password --login user123 --password ${password}`],
    [
      "add",
      `deno task user add --admin --login user123 --name User123 --email user123@example.com --password ${password}`,
    ],
    ["link_command", "deno task user link --login user123"],
  ];
  return (
    <div class="help">
      <button type="button" class="button button-quiet" popovertarget="sign-in-help">
        {ui.t("sign_in.help.link")}
      </button>
      <section
        id="sign-in-help"
        popover="auto"
        role="dialog"
        aria-labelledby="sign-in-help-title"
        class="dialog dialog-small"
      >
        <div class="dialog-head">
          <h2 id="sign-in-help-title">{ui.t("sign_in.help.title")}</h2>
          <button
            type="button"
            class="icon-button"
            popovertarget="sign-in-help"
            popovertargetaction="hide"
            title={ui.t("actions.close")}
            autofocus
          >
            <Icon name="close" />
            <span class="sr-only">{ui.t("actions.close")}</span>
          </button>
        </div>
        <p class="m-0 mb-3 text-muted">{ui.t("sign_in.help.where")}</p>
        <ol class="m-0 pl-5 grid gap-3">
          {steps.map(([step, command], index) => (
            <li>
              {ui.t(`sign_in.help.${step}`)}
              <pre
                tabIndex={0}
                aria-label={ui.t("sign_in.help.command", { number: index + 1 })}
              >{command}</pre>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Ten random letters and digits, without those that look alike. */
const examplePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
