import { Checkbox } from "@/components/ui/Choice.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

/** Whether a template's tasks first show what they would change. */
export const PreviewFields = (common: { ui: Ui; form: FormState }) => (
  <>
    <Checkbox
      {...common}
      name="preview_first"
      label={common.ui.t("templates.preview_first")}
      hint={[
        common.ui.t("templates.preview_first_hint"),
        common.ui.t("preview.runs"),
        common.ui.t("preview.vault_diffs"),
      ].join(" ")}
    />
    <Checkbox
      {...common}
      name="preview_end_unchanged"
      label={common.ui.t("templates.preview_end_unchanged")}
      hint={common.ui.t("templates.preview_end_unchanged_hint")}
    />
  </>
);
