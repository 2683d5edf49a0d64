import assert from "node:assert/strict";
import { firstDue } from "./due.ts";
import { spreadTimes } from "./spread.ts";

Deno.test("periods are spread by the template, and typed times stay", () => {
  const formats = ["@hourly", "@every 6h", "@daily", "@weekly", "@monthly", "@every 20m"];
  assert.deepEqual(formats.map((format) => spreadTimes(format, 1)), [
    "37 * * * *",
    "42 3,9,15,21 * * *",
    "49 14 * * *",
    "49 7 * * 4",
    "19 7 18 * *",
    "12,32,52 * * * *",
  ]);
  assert.equal(spreadTimes("CRON_TZ=Asia/Tokyo @Every 12h", 2), "CRON_TZ=Asia/Tokyo 49 2,14 * * *");
  for (
    const typed of ["0 */6 * * *", "@midnight", "@yearly", "@every 7h", "@every 0h", "@every 25h"]
  ) {
    assert.equal(spreadTimes(typed, 1), typed);
  }
});

Deno.test("200 templates that are checked every 6 hours start at 200 different minutes", () => {
  const now = new Date("2024-05-02T00:00:00Z");
  const first = (template_id: number, check = true) =>
    firstDue({
      ...{ type: "", cron_format: "@every 6h", timezone: "UTC", run_at: null, active: true },
      ...{ template_id, check },
    }, now)!;
  const starts = Array.from({ length: 200 }, (_, n) => first(n + 1));
  const minutes = starts.map((at) => (Date.parse(at) - now.getTime()) / 60_000);
  assert.equal(new Set(minutes).size, 200);
  assert.ok(minutes.every((minute) => minute > 0 && minute <= 360));
  const perHour = Map.groupBy(minutes, (minute) => Math.floor((minute - 1) / 60));
  for (const { length } of perHour.values()) assert.ok(length >= 32 && length <= 35, `${length}`);
  assert.equal(first(1, false), "2024-05-02T06:00:00.000Z");
});
