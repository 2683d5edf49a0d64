import { Chip } from "@/components/ui/Chip.tsx";
import { paths } from "@/lib/base/paths.ts";
import { cronWords } from "@/lib/i18n/cron_words.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { zonedPattern } from "@/lib/triggers/schedules/zone.ts";

type Times = Pick<
  ScheduleView,
  "type" | "cron_format" | "timezone" | "run_at" | "offset_days"
>;

/** Time zone of a schedule's times. */
const zoneOf = ({ cron_format, timezone }: Pick<Times, "cron_format" | "timezone">) =>
  zonedPattern(cron_format, timezone).zone;

/** Describes a schedule's times in words. Returns null for a cron format without a description. */
export function scheduleWords(
  ui: Ui,
  { type, cron_format, timezone, run_at, offset_days }: Times,
) {
  const { zone, pattern } = zonedPattern(cron_format, timezone);
  if (type === "run_at") return run_at && ui.minute(run_at, zone);
  const [, interval] = /^@every\s+(\S+)$/i.exec(pattern) ?? [];
  const words = interval ? ui.t("schedules.every", { interval }) : cronWords(ui, pattern);
  if (offset_days === 0) return words;
  const days = new Intl.NumberFormat(ui.locale, { signDisplay: "always" }).format(offset_days);
  return ui.t("schedules.moved", { times: words ?? pattern, days });
}

/** Name of a schedule, or a description of its times. */
export const scheduleName = (ui: Ui, schedule: ScheduleView): string =>
  schedule.name || scheduleWords(ui, schedule) || schedule.cron_format;

/** The part of a template's form that a schedule stands for; null for a schedule of its own. */
export const checksHref = (
  ui: Ui,
  { set_by, project_id, template_id }: ScheduleView,
): string | null => set_by && ui.href(paths.templateChecks(project_id, template_id!));

interface ScheduleCellProps {
  ui: Ui;
  schedule: ScheduleView;
  /** Page to edit it; null for people who cannot. */
  href: string | null;
}

/** A schedule's name, and the times in words, as written, and the time zone. */
export function ScheduleCell({ ui, schedule, href }: ScheduleCellProps) {
  const name = scheduleName(ui, schedule);
  const words = scheduleWords(ui, schedule);
  return (
    <div class="clamp">
      {href === null
        ? <span class="schedule-name" title={name}>{name}</span>
        : <a class="schedule-name" href={href} title={name} data-over>{name}</a>}{" "}
      {schedule.check && (
        <>
          <Chip status="check" icon="drift" tone="neutral">{ui.t("drift.check_chip")}</Chip>
          {" "}
        </>
      )}
      <span class="schedule-more" title={schedule.cron_format}>
        {name !== words && words} {schedule.type !== "run_at" && (
          <>
            <code>{schedule.cron_format}</code> {zoneOf(schedule)}
          </>
        )}
      </span>
    </div>
  );
}

/** An upcoming time of a schedule, in its time zone. */
export const ScheduleTime = ({ ui, at, zone }: { ui: Ui; at: string; zone: string }) => (
  <time dateTime={at}>{ui.minute(at, zone)}</time>
);
