import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import type { AlertsPlace } from "./place.tsx";

/** Says that alerts have no links while the server does not know its own address. */
export const NoAddress = ({ ui, place }: { ui: Ui; place: AlertsPlace }) =>
  place.hasAddress
    ? null
    : <Alert kind="warning" class="mb-4">{ui.t("alert_targets.no_address")}</Alert>;
