import { Chip } from "@/components/ui/Chip.tsx";
import { paths } from "@/lib/base/paths.ts";
import { patternWords } from "@/lib/i18n/pattern_words.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { spreadTimes } from "@/lib/triggers/schedules/spread.ts";
import { zonedPattern } from "@/lib/triggers/schedules/zone.ts";

type Times =
  & Pick<ScheduleView, "type" | "cron_format" | "timezone" | "run_at" | "offset_days">
  & Partial<Pick<ScheduleView, "check" | "template_id" | "set_by">>;

/** Time zone of a schedule's times. */
export const zoneOf = ({ cron_format, timezone }: Pick<Times, "cron_format" | "timezone">) =>
  zonedPattern(cron_format, timezone).zone;

/** Describes a schedule's times in words. Returns null for a cron format without a description. */
export function scheduleWords(ui: Ui, schedule: Times) {
  const { type, cron_format, timezone, run_at, offset_days, set_by } = schedule;
  const { zone, pattern } = zonedPattern(cron_format, timezone);
  if (type === "run_at") return run_at && ui.minute(run_at, zone);
  if (set_by === "check_after_commit") return ui.t("schedules.after_commit");
  const words = schedule.check
    ? checkWords(ui, pattern, schedule.template_id ?? 0)
    : patternWords(ui, pattern);
  if (offset_days === 0) return words;
  const days = new Intl.NumberFormat(ui.locale, { signDisplay: "always" }).format(offset_days);
  return ui.t("schedules.moved", { times: words ?? pattern, days });
}

/**
 * Describes the times of checks. Where the template chose the time of day, that time is named.
 * Shorter periods are only "spread".
 */
function checkWords(ui: Ui, pattern: string, templateId: number): string | null {
  const real = spreadTimes(pattern, templateId);
  if (real === pattern || !/^@(every|hourly)/i.test(pattern)) return patternWords(ui, real);
  const times = patternWords(ui, pattern);
  return times && ui.t("schedules.spread", { times });
}

/** Name of a schedule, or a description of its times. */
export const scheduleName = (ui: Ui, schedule: ScheduleView): string =>
  schedule.name || scheduleWords(ui, schedule) || schedule.cron_format;

/** The part of a template's form that a schedule stands for; null for a schedule of its own. */
export const checksHref = (
  ui: Ui,
  { set_by, project_id, template_id }: ScheduleView,
): string | null => set_by && ui.href(paths.templateChecks(project_id, template_id!));

interface ScheduleLinkProps {
  ui: Ui;
  schedule: ScheduleView;
  /** Page to edit it; null for people who cannot. */
  href: string | null;
}

/** A schedule's name, and whether it is a check. */
export const ScheduleLink = (
  { ui, schedule, href, name, isCheckName }:
    & ScheduleLinkProps
    & { name: string; isCheckName?: boolean },
) => (
  <>
    {href === null
      ? <span class="schedule-name" title={name}>{name}</span>
      : <a class="schedule-name" href={href} title={name} data-over>{name}</a>}
    {schedule.check && !isCheckName && (
      <>
        {" "}
        <Chip status="check" icon="drift" tone="neutral">{ui.t("drift.check_chip")}</Chip>
      </>
    )}
  </>
);

/** A schedule's name, and the times in words with the time zone. */
export function ScheduleCell({ ui, schedule, href }: ScheduleLinkProps) {
  const name = scheduleName(ui, schedule);
  const words = scheduleWords(ui, schedule);
  return (
    <div class="clamp">
      <ScheduleLink {...{ ui, schedule, href, name }} />{" "}
      <span class="schedule-more">
        {name !== words && words} {schedule.type !== "run_at" && zoneOf(schedule)}
      </span>
    </div>
  );
}

/** An upcoming time of a schedule, in its time zone. */
export const ScheduleTime = ({ ui, at, zone }: { ui: Ui; at: string; zone: string }) => (
  <time dateTime={at}>{ui.minute(at, zone)}</time>
);
