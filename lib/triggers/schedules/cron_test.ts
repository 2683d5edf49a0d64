import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { AppError } from "../../base/errors.ts";
import { translator } from "../../i18n/translate.ts";
import { isTimeZone, nextRun, parseCron, passedRuns } from "./cron.ts";

const t = translator("en");

/** The next `count` times after `from`. */
function runs(format: string, timezone: string | null, from: string, count: number): string[] {
  const timetable = parseCron(format, timezone);
  const found: string[] = [];
  for (let at: Date | null = new Date(from); found.length < count;) {
    at = nextRun(timetable, at);
    if (!at) break;
    found.push(at.toISOString().replace(":00.000Z", "Z"));
  }
  return found;
}

/** The sentence that a client receives. */
function refusal(format: string, timezone: string | null = null): string {
  try {
    parseCron(format, timezone);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.status, 400);
    return t(error.key, error.params);
  }
  throw new Error(`"${format}" was taken`);
}

Deno.test("five fields and nicknames are accepted", () => {
  const from = "2026-01-01T00:00:00Z";
  assert.deepEqual(runs("*/20 * * * *", "UTC", from, 2), [
    "2026-01-01T00:20Z",
    "2026-01-01T00:40Z",
  ]);
  assert.deepEqual(runs("5/15 * * * *", "UTC", from, 2), [
    "2026-01-01T00:05Z",
    "2026-01-01T00:20Z",
  ]);
  assert.deepEqual(runs("@hourly", "UTC", from, 1), ["2026-01-01T01:00Z"]);
  assert.deepEqual(runs("@yearly", "UTC", from, 1), ["2027-01-01T00:00Z"]);
  assert.deepEqual(runs("0 9 ? * MON-FRI", "UTC", "2026-01-02T10:00:00Z", 1), [
    "2026-01-05T09:00Z",
  ]);
});

Deno.test("a day of the month or a day of the week is enough", () => {
  assert.deepEqual(runs("0 0 15 * 1", "UTC", "2026-01-10T00:00:00Z", 3), [
    "2026-01-12T00:00Z",
    "2026-01-15T00:00Z",
    "2026-01-19T00:00Z",
  ]);
});

Deno.test("a time zone prefix overrides the schedule's own", () => {
  const from = "2026-01-01T00:00:00Z";
  assert.deepEqual(runs("0 3 * * *", "Asia/Tokyo", from, 1), ["2026-01-01T18:00Z"]);
  assert.deepEqual(runs("TZ=UTC 0 3 * * *", "Asia/Tokyo", from, 1), ["2026-01-01T03:00Z"]);
  assert.deepEqual(runs("CRON_TZ=Asia/Kolkata @daily", null, from, 1), ["2026-01-01T18:30Z"]);
});

Deno.test("@every continues from the last time", () => {
  assert.deepEqual(runs("@every 1h30m", null, "2026-01-01T00:07:00Z", 2), [
    "2026-01-01T01:37Z",
    "2026-01-01T03:07Z",
  ]);
});

Deno.test("in spring, a skipped time is moved to the end of the gap, once", () => {
  assert.deepEqual(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2), [
    "2026-03-29T01:00Z", // 03:00 summer time
    "2026-03-30T00:30Z",
  ]);
  assert.deepEqual(runs("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:20:00Z", 3), [
    "2026-03-29T00:30Z",
    "2026-03-29T01:00Z",
    "2026-03-29T01:30Z",
  ]);
});

Deno.test("in autumn, a fixed time is used once, and an interval continues in both hours", () => {
  assert.deepEqual(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2), [
    "2026-10-25T00:30Z",
    "2026-10-26T01:30Z",
  ]);
  assert.deepEqual(runs("30 2,14 * * *", "Europe/Berlin", "2026-10-24T23:50:00Z", 2), [
    "2026-10-25T00:30Z",
    "2026-10-25T13:30Z",
  ]);
  assert.deepEqual(runs("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:10:00Z", 4), [
    "2026-10-25T00:30Z",
    "2026-10-25T01:00Z",
    "2026-10-25T01:30Z",
    "2026-10-25T02:00Z",
  ]);
  assert.deepEqual(runs("0 1 * * *", "America/New_York", "2026-11-01T00:00:00Z", 2), [
    "2026-11-01T05:00Z",
    "2026-11-02T06:00Z",
  ]);
});

Deno.test("an invalid format is reported in a sentence that begins with Cron:", () => {
  const wrong = [
    "",
    "   ",
    "* * * *",
    "* * * * * *",
    "61 * * * *",
    "0 24 * * *",
    "0 0 0 * *",
    "*/0 * * * *",
    "a b c d e",
    "1- * * * *",
    "@reboot",
    "@sometimes",
    "@every",
    "@every soon",
    "@every 1s",
    "@every 999999h",
    "2030-01-01T00:00:00",
    "TZ=Nowhere/Land * * * * *",
    "TZ= * * * * *",
    "0 0 31 2 *",
    "__proto__",
    "* * * * \u0000",
  ];
  for (const format of wrong) assert.match(refusal(format), /^Cron: \S.*\.$/, format);
  assert.match(refusal("0 24 * 13 *"), /\(24\)/, "the first part that is wrong");
  assert.match(refusal("* * * * *", "Mars/Base"), /^Cron: .*Mars\/Base/);
});

Deno.test("passed times are counted, and the next one is after now", () => {
  const hourly = parseCron("@hourly", "UTC");
  const due = new Date("2026-01-01T01:00:00Z");
  assert.deepEqual(passedRuns(hourly, due, new Date("2026-01-01T01:00:00.400Z")), {
    count: 1,
    next: new Date("2026-01-01T02:00:00Z"),
  });
  assert.deepEqual(passedRuns(hourly, due, new Date("2026-01-01T05:30:00Z")), {
    count: 5,
    next: new Date("2026-01-01T06:00:00Z"),
  });
  const every = parseCron("@every 20m", null);
  assert.deepEqual(passedRuns(every, due, new Date("2026-01-01T02:01:00Z")), {
    count: 4,
    next: new Date("2026-01-01T02:20:00Z"),
  });
  const minutely = parseCron("* * * * *", "UTC");
  const years = passedRuns(minutely, due, new Date("2028-01-01T00:00:30Z"));
  assert.deepEqual(years, { count: 1000, next: new Date("2028-01-01T00:01:00Z") });
});

Deno.test("a clock that was set back does not repeat a time", () => {
  const hourly = parseCron("@hourly", "UTC");
  const due = new Date("2026-01-01T01:00:00Z");
  const { next } = passedRuns(hourly, due, new Date("2026-01-01T00:59:59Z"));
  assert.deepEqual(next, new Date("2026-01-01T02:00:00Z"));
});

Deno.test("time zones are those of the tz database", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"]) {
    assert.ok(isTimeZone(zone));
  }
  for (const zone of ["", "Berlin", "Europe/Nowhere"]) assert.ok(!isTimeZone(zone), zone);
});

Deno.test("any text is accepted or rejected as a cron format, soon", () => {
  const field = fc.stringMatching(/^[0-9*,/?LW#+A-Z-]{1,12}$/);
  const formats = fc.oneof(
    fc.string({ maxLength: 200, unit: "binary" }),
    fc.array(field, { minLength: 4, maxLength: 6 }).map((fields) => fields.join(" ")),
    fc.tuple(fc.constantFrom("TZ=", "CRON_TZ=", "@every ", "@"), fc.string({ maxLength: 50 }))
      .map(([start, rest]) => start + rest),
  );
  const now = new Date("2026-01-01T00:00:00Z");
  fc.assert(
    fc.property(formats, (format) => {
      const start = performance.now();
      try {
        const timetable = parseCron(format, "Europe/Berlin");
        const next = nextRun(timetable, now);
        assert.ok(next === null || next > now);
        passedRuns(timetable, now, new Date("2027-01-01T00:00:00Z"));
      } catch (error) {
        assert.ok(error instanceof AppError, `${error}`);
      }
      const took = performance.now() - start;
      assert.ok(took < 10_000, `"${format}" took ${took} ms`);
    }),
    { numRuns: 2_000 },
  );
});
