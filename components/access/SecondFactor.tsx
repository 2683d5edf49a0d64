import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SecondFactorView } from "../../lib/people/factors/schema.ts";
import { Time } from "../ui/Time.tsx";
import { AccessPart } from "./AccessPart.tsx";

interface SecondFactorProps {
  ui: Ui;
  factor: SecondFactorView | null;
  /** Whether the reader is the account's owner. */
  isOwn: boolean;
  actions: ComponentChildren;
  children?: ComponentChildren;
}

/** Whether an account has a second factor, and the actions that are possible. */
export function SecondFactor({ ui, factor, isOwn, actions, children }: SecondFactorProps) {
  const count = factor?.recovery_codes ?? 0;
  return (
    <AccessPart id="second-factor" title={ui.t("factors.title")} actions={actions}>
      {factor
        ? (
          <p class="m-0">
            {ui.t("factors.on")} <Time ui={ui} at={factor.since} />
            {" · "}
            {ui.t("factors.codes_left", { count })}
          </p>
        )
        : <p class="text-muted m-0">{ui.t(isOwn ? "factors.off" : "factors.off_theirs")}</p>}
      {children}
    </AccessPart>
  );
}
