import { Button } from "../Button.tsx";
import { Checkbox } from "./Choice.tsx";
import type { FieldProps } from "./Field.tsx";

type AllowPrivateProps = Pick<FieldProps, "ui" | "form" | "label" | "hint">;

/**
 * The box below an address that allows private networks. A form that was asked about its address
 * has a button that ticks the box and saves. Saving it as it is leaves the box as it is.
 */
export function AllowPrivate({ ui, form, label, hint }: AllowPrivateProps) {
  const isAsked = Object.values(form.errors).some(({ key }) => key === "errors.private_address");
  return (
    <>
      <Checkbox ui={ui} form={form} name="allow_private" label={label} hint={hint} />
      {isAsked && (
        <>
          <input type="hidden" name="private_asked" value="true" />
          <Button name="allow_private" value="true" class="justify-self-start">
            {ui.t("forms.allow_and_save")}
          </Button>
        </>
      )}
    </>
  );
}
