import type { Ui } from "../../lib/i18n/ui.ts";
import PasskeyButton from "../../islands/PasskeyButton.tsx";

interface PasskeyAskProps {
  ui: Ui;
  kind: "sign_in" | "add";
  /** Address of the options for `navigator.credentials`. */
  options: string;
  label: string;
  primary?: boolean;
}

/**
 * The button that asks for a passkey, and the hidden field of the surrounding form for its answer.
 */
export const PasskeyAsk = ({ ui, ...button }: PasskeyAskProps) => (
  <>
    <input type="hidden" name="credential" />
    <PasskeyButton
      {...button}
      texts={{
        unsupported: ui.t("passkeys.unsupported"),
        stopped: ui.t("passkeys.stopped"),
        known: ui.t("passkeys.known"),
        failed: ui.t("passkeys.failed", { message: "{{message}}" }),
      }}
    />
  </>
);
