import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { SHORTCUTS_CHOICE } from "../../lib/web/shell.ts";
import { type Shortcut, SHORTCUTS } from "../../lib/client/shortcuts/shortcuts.ts";

/**
 * All shortcuts, and the setting that disables single keys for users of voice input or with a
 * tremor.
 */
export function Shortcuts({ ui, areOn, close }: { ui: Ui; areOn: boolean; close: string }) {
  const isWay = ({ deed }: Shortcut) => "goes" in deed;
  const isInLog = ({ deed }: Shortcut) => "inLog" in deed;
  const groups: [title: string, shortcuts: Shortcut[]][] = [
    [ui.t("shortcuts.on_page"), SHORTCUTS.filter((one) => !isWay(one) && !isInLog(one))],
    [ui.t("shortcuts.ways"), SHORTCUTS.filter(isWay)],
    [ui.t("shortcuts.in_log"), SHORTCUTS.filter(isInLog)],
  ];
  return (
    <Dialog
      ui={ui}
      id="shortcuts"
      title={ui.t("shortcuts.title")}
      width="wide"
      close={close}
    >
      <div class="shortcut-groups">
        {groups.map(([title, shortcuts]) => (
          <section>
            <h2>{title}</h2>
            <dl class="shortcut-list">
              {shortcuts.map((shortcut) => (
                <div>
                  <dt>{ui.t(shortcut.does)}</dt>
                  <dd>
                    <Keys ui={ui} keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="text-muted">{ui.t("shortcuts.about")}</p>
      <form method="post" action={ui.href(paths.preferences())}>
        <input type="hidden" name="back" value={paths.shortcuts()} />
        <Button name={SHORTCUTS_CHOICE} value={areOn ? "off" : "on"}>
          {ui.t(areOn ? "shortcuts.switch_off" : "shortcuts.switch_on")}
        </Button>
      </form>
    </Dialog>
  );
}

/** Keys as labeled on a keyboard. */
function Keys({ ui, keys: [first, ...more] }: { ui: Ui; keys: readonly string[] }) {
  const isHeld = first === "Mod";
  return (
    <>
      <kbd>{isHeld ? ui.t("shortcuts.ctrl") : first}</kbd>
      {more.map((key) => (
        <>
          {" "}
          <small>{ui.t(isHeld ? "shortcuts.with" : "shortcuts.then")}</small> <kbd>{key}</kbd>
        </>
      ))}
    </>
  );
}
