import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecondFactorView } from "../../lib/people/factors/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { CurrentPassword } from "../ui/forms/PasswordField.tsx";
import encodeQR from "qr";

interface SecondFactorDialogProps {
  ui: Ui;
  factor: SecondFactorView | null;
  form: FormState;
  /** Data for the authenticator app; null if there already is a second factor. */
  setup: { sealed: string; uri: string; readable: string } | null;
  /** Just created: only this answer shows them. */
  codes: string[] | null;
  asksPassword: boolean;
  /** The account must set up a second factor before it can do anything else. */
  required: boolean;
  /** The page to continue to. */
  next: string | null;
}

/** Sets up a second factor, shows its recovery codes once, and removes it. */
export function SecondFactorDialog({ form, ...rest }: SecondFactorDialogProps) {
  const props = { ...rest, form: { ...form, idPrefix: "factor-" } };
  const { ui, factor, setup, codes, required } = props;
  return (
    <Dialog
      ui={ui}
      id="second-factor-dialog"
      title={ui.t("factors.title")}
      width="large"
      close={required ? null : ui.href(paths.account("security"))}
      once={codes !== null}
    >
      {required && <Alert kind="warning">{ui.t("factors.required")}</Alert>}
      {codes
        ? <RecoveryCodes {...props} codes={codes} />
        : factor
        ? <ChangeFactor {...props} />
        : setup && <SetUp {...props} setup={setup} />}
    </Dialog>
  );
}

/** The codes cannot be shown again, so leaving the dialog sends nothing. */
function RecoveryCodes({ ui, codes, next }: SecondFactorDialogProps & { codes: string[] }) {
  return (
    <div id="recovery-codes" class="grid gap-4">
      <Alert kind="success" title={ui.t("factors.done")}>{ui.t("factors.keep_codes")}</Alert>
      <ul class="list-none m-0 p-0 grid grid-cols-1 sm:grid-cols-2 gap-2">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="form-bar">
        <ButtonLink kind="primary" href={ui.href(next ?? paths.account("security"))}>
          {ui.t("factors.kept")}
        </ButtonLink>
      </div>
    </div>
  );
}

function SetUp(
  { ui, form, setup, asksPassword, next }: SecondFactorDialogProps & {
    setup: NonNullable<SecondFactorDialogProps["setup"]>;
  },
) {
  const labels = {
    code: ui.t("factors.code"),
    current_password: ui.t("account.current_password"),
  };
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.secondFactor(next ?? undefined))}
      save={ui.t("factors.add")}
      labels={labels}
    >
      <p class="m-0">{ui.t("factors.how")}</p>
      <QrPicture text={setup.uri} label={ui.t("factors.picture")} />
      <p class="m-0">
        {ui.t("factors.by_hand")} <code class="break-words">{setup.readable}</code>{" "}
        <a href={setup.uri}>{ui.t("factors.open_app")}</a>
      </p>
      <input type="hidden" name="setup" value={setup.sealed} />
      <CodeField ui={ui} form={form} hint={ui.t("factors.code_hint")} />
      {asksPassword && <CurrentPassword ui={ui} form={form} required />}
    </Form>
  );
}

function ChangeFactor({ ui, form }: SecondFactorDialogProps) {
  return (
    <Form
      ui={ui}
      form={form}
      action={ui.href(paths.changeSecondFactor("recovery_codes"))}
      save={ui.t("factors.new_codes")}
      labels={{ code: ui.t("factors.code") }}
      actions={
        <Button kind="danger" formAction={ui.href(paths.changeSecondFactor("remove"))}>
          {ui.t("factors.remove")}
        </Button>
      }
    >
      <p class="m-0">{ui.t("factors.change")}</p>
      <CodeField ui={ui} form={form} hint={ui.t("code_step.hint")} />
    </Form>
  );
}

/** A code is valid once, so a used one is not shown again. */
const CodeField = ({ ui, form, hint }: { ui: Ui; form: FormState; hint: string }) => (
  <Field
    ui={ui}
    form={{ ...form, values: {} }}
    name="code"
    label={ui.t("factors.code")}
    hint={hint}
    autocomplete="one-time-code"
    required
    autofocus
  />
);

/** Light modules around the code, which scanners need. */
const BORDER = 4;

/** A text as a QR code, drawn on the server; dark on light in any theme. */
function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { border: BORDER });
  const path = rows.flatMap((row, y) => row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : ""));
  return (
    <svg
      class="qr-picture"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}
