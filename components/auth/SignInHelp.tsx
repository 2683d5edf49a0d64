import type { Ui } from "../../lib/i18n/ui.ts";

/** Tells whoever runs the server how to let people in again. */
export function SignInHelp({ ui }: { ui: Ui }) {
  const password = examplePassword();
  const steps = [
    ["list", "deno task user list"],
    ["password", `deno task user password --login user123 --password ${password}`],
    [
      "add",
      `deno task user add --admin --login user123 --name User123 --email user123@example.com --password ${password}`,
    ],
  ];
  return (
    <details class="help">
      <summary>{ui.t("sign_in.help.link")}</summary>
      <div class="card grid gap-3">
        <h2 class="m-0">{ui.t("sign_in.help.title")}</h2>
        <p class="m-0 text-muted">{ui.t("sign_in.help.where")}</p>
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
      </div>
    </details>
  );
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Ten random letters and digits, without those that look alike. */
const examplePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
