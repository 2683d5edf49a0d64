import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Time } from "../ui/Time.tsx";
import type { AlertsPlace } from "./place.tsx";

interface FeedSectionProps {
  ui: Ui;
  place: AlertsPlace;
  /** Null while there is no feed. */
  created: string | null;
  /** The address that it was just given. */
  address: string | null;
}

/** The Atom feed of a project, whose address is as secret as a password. */
export function FeedSection({ ui, place, created, address }: FeedSectionProps) {
  const action = ui.href(paths.alertFeed(place.projectId!));
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">{ui.t("alert_feed.title")}</h2>
      {address && (
        <div role="status">
          <Alert kind="success" title={ui.t("alert_feed.address")}>
            <code class="break-all">{address}</code>
          </Alert>
        </div>
      )}
      <p>{ui.t("alert_feed.about")}</p>
      {created && (
        <p class="text-muted">
          {ui.t("alert_feed.since")} <Time ui={ui} at={created} />
        </p>
      )}
      <form method="post" action={action} class="form-buttons">
        <Button icon={created ? "refresh" : "plus"} name="action" value="create">
          {ui.t(created ? "alert_feed.renew" : "alert_feed.create")}
        </Button>
        {created && (
          <Button kind="danger" icon="delete" name="action" value="delete">
            {ui.t("alert_feed.delete")}
          </Button>
        )}
      </form>
    </section>
  );
}
