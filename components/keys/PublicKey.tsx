import type { Ui } from "../../lib/i18n/ui.ts";
import { CopyButton } from "../ui/CopyButton.tsx";

/** The public half of a key pair, and instructions on where to install it. */
export function PublicKey({ ui, line }: { ui: Ui; line: string }) {
  return (
    <section class="public-key" aria-labelledby="public-key">
      <div class="public-key-head">
        <h2 id="public-key">{ui.t("keys.public.title")}</h2>
        <CopyButton
          what={{ text: line }}
          label={ui.t("keys.public.copy")}
          copied={ui.t("keys.public.copied")}
        />
      </div>
      <code>{line}</code>
      <p class="field-hint">{ui.t("keys.public.hint")}</p>
    </section>
  );
}
