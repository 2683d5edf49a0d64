import CopyButton from "@/islands/CopyButton.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Copies the difference of a change, which stands in the element `${id}-diff`. */
export const CopyDiff = ({ ui, id, name }: { ui: Ui; id: string; name: string }) => (
  <CopyButton
    id={`${id}-copy`}
    text={{ of: `${id}-diff` }}
    label={ui.t("changes.copy", { name })}
    texts={{
      copied: ui.t("changes.copied"),
      failed: ui.t("aliases.copy_failed", { message: "{{message}}" }),
      unavailable: ui.t("aliases.no_clipboard"),
      close: ui.t("actions.close"),
    }}
  />
);
