import CopyButton from "../../islands/CopyButton.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";

/** The half of a key pair that everybody may know, and where it belongs. */
export function PublicKey({ ui, line }: { ui: Ui; line: string }) {
  const texts = {
    copied: ui.t("keys.public.copied"),
    failed: ui.t("aliases.copy_failed", { message: "{{message}}" }),
    unavailable: ui.t("aliases.no_clipboard"),
    close: ui.t("actions.close"),
  };
  return (
    <section class="public-key" aria-labelledby="public-key">
      <div class="public-key-head">
        <h2 id="public-key">{ui.t("keys.public.title")}</h2>
        <CopyButton text={line} label={ui.t("keys.public.copy")} texts={texts} />
      </div>
      <code>{line}</code>
      <p class="field-hint">{ui.t("keys.public.hint")}</p>
    </section>
  );
}
