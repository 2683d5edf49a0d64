import type { ChannelState, TestResult } from "../../lib/alerts/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { paths } from "../../lib/base/paths.ts";
import { Button } from "../ui/Button.tsx";

const STATE_CHIPS: Record<ChannelState["state"], [icon: IconName, tone: string]> = {
  ready: ["success", "text-success"],
  no_target: ["warning", "text-warning"],
  missing: ["close", "text-muted"],
};

interface AlertChannelsProps {
  ui: Ui;
  channels: ChannelState[];
  /** Whether alerts are enabled in the project. */
  alert: boolean;
}

/** Channels by which alerts of a project are sent, and why others are unavailable. */
export function AlertChannels({ ui, channels, alert }: AlertChannelsProps) {
  return (
    <>
      {!alert && <Alert kind="warning">{ui.t("projects.alerts.switched_off")}</Alert>}
      <ul class="m-0 p-0 list-none grid gap-1">
        {channels.map(({ channel, state }) => {
          const [icon, tone] = STATE_CHIPS[state];
          return (
            <li id={`channel-${channel}`} class="flex items-start gap-2">
              <Icon name={icon} class={`mt-0.5 ${tone}`} />
              <span>
                {ui.t(`alerts.channel.${channel}`)}{" "}
                <span class="text-muted">{ui.t(`projects.alerts.state.${state}`)}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface AlertTestProps {
  ui: Ui;
  projectId: number;
  /** Results of the test messages that were just sent. */
  results?: TestResult[];
}

/** The button that sends a test message, and the answer of each channel to the last one. */
export function AlertTest({ ui, projectId, results = [] }: AlertTestProps) {
  return (
    <>
      {results.map(({ channel, ok, reason }) => (
        <Alert
          kind={ok ? "success" : "danger"}
          title={ui.t(ok ? "projects.alerts.sent" : "projects.alerts.failed", {
            channel: ui.t(`alerts.channel.${channel}`),
          })}
        >
          {reason !== null && ui.tell(reason)}
        </Alert>
      ))}
      <form method="post" action={ui.href(paths.testAlerts(projectId))}>
        <Button>{ui.t("projects.alerts.send")}</Button>
      </form>
    </>
  );
}
