import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunnerView } from "@/lib/runners/schema.ts";
import { Sentence } from "../ui/Sentence.tsx";
import { Time } from "../ui/Time.tsx";

type Shown = Pick<RunnerView, "registered" | "online" | "touched" | "state">;

/** Whether a runner is connected, or when it was last seen, and whether it takes no new tasks. */
export const RunnerState = ({ ui, runner }: { ui: Ui; runner: Shown }) => (
  <span class="inline-flex flex-wrap gap-1">
    <Connection ui={ui} runner={runner} />
    {runner.state !== "active" && (
      <span class="chip chip-warning">{ui.t(`runners.state.${runner.state}`)}</span>
    )}
  </span>
);

function Connection({ ui, runner: { registered, online, touched } }: { ui: Ui; runner: Shown }) {
  if (!registered) {
    return <span class="chip chip-neutral">{ui.t("runners.state.unregistered")}</span>;
  }
  if (online) return <span class="chip chip-success">{ui.t("runners.state.online")}</span>;
  if (!touched) return <span class="chip chip-neutral">{ui.t("runners.state.never_seen")}</span>;
  return (
    <span class="chip chip-danger">
      <Sentence
        ui={ui}
        of="runners.state.last_seen"
        parts={{ time: <Time ui={ui} at={touched} ticks /> }}
      />
    </span>
  );
}

/** The text by which states are filtered and sorted. */
export function stateText(ui: Ui, { registered, online, touched, state }: Shown): string {
  const connection = !registered
    ? "unregistered"
    : online
    ? "online"
    : touched
    ? "offline"
    : "never_seen";
  const words = [connection, ...state === "active" ? [] : [state]];
  return ui.list(words.map((word) => ui.t(`runners.state.${word}`)));
}
