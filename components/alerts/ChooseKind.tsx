import { TARGET_KINDS } from "@/lib/alerts/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { kindName } from "./names.ts";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";

/** The first step of a new target, whose kind decides about its fields. */
export function ChooseKind({ ui, place }: { ui: Ui; place: AlertsPlace }) {
  const title = ui.t("alert_targets.new");
  const form = ui.href(paths.alertTarget(place.projectId, "new"));
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[title]} />
      <Dialog
        ui={ui}
        id="choose-kind"
        title={title}
        width="medium"
        above={<AlertsCrumbs ui={ui} place={place} />}
        close={ui.href(paths.alerts(place.projectId))}
      >
        <p>{ui.t("alert_targets.choose")}</p>
        <ul class="grid grid-cols-2 gap-2 list-none p-0 m-0">
          {TARGET_KINDS.map((kind, n) => (
            <li key={n}>
              <ButtonLink class="w-full" href={`${form}?kind=${kind}`} over>
                {kindName(ui, kind)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
