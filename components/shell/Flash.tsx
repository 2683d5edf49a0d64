import type { Sentence } from "../../lib/base/errors.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Icon } from "../ui/Icon.tsx";

/** Message about the last action. Closed by its button; a success also disappears automatically. */
export function Flash(
  { ui, flash }: { ui: Pick<Ui, "t">; flash: Sentence & { kind: "success" | "danger" } },
) {
  const failed = flash.kind === "danger";
  // Reference of the log line about the failure.
  const ref = flash.params?.ref;
  return (
    <div class={`flash alert alert-${flash.kind}`} role={failed ? "alert" : "status"}>
      <Icon name={failed ? "error" : "success"} class="mt-0.5" />
      <p>
        {ui.t(flash.key, flash.params)}
        {ref && ` ${ui.t("sign_in.reference", { ref })}`}
      </p>
      <details>
        <summary aria-label={ui.t("actions.close")}>
          <Icon name="close" />
        </summary>
      </details>
    </div>
  );
}
