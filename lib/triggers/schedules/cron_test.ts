import assert from "node:assert/strict";
import * as fc from "@/tests/packages/fast_check.ts";
import { AppError } from "../../base/errors.ts";
import { translator } from "../../i18n/translate.ts";
import { isTimeZone, nextRun, parseCron, passedRuns } from "./cron.ts";

const t = translator("en");

/** The next `count` times after `from`. */
function runs(
  format: string,
  timezone: string | null,
  from: string,
  count: number,
  days = 0,
): string[] {
  const timetable = parseCron(format, timezone, days);
  const found: string[] = [];
  for (let at: Date | null = new Date(from); found.length < count;) {
    at = nextRun(timetable, at);
    if (!at) break;
    found.push(at.toISOString().replace(":00.000Z", "Z"));
  }
  return found;
}

/** The sentence that a client receives. */
function refusal(format: string, timezone: string | null = null, days = 0): string {
  try {
    parseCron(format, timezone, days);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.status, 400);
    return t(error.key, error.params);
  }
  throw new Error(`"${format}" was taken`);
}

Deno.test("times are moved by days, in their zone and at the same time of day", () => {
  const cases: [string, string, number, string, string[]][] = [
    ["0 3 * * 2#2", "UTC", 1, "2026-10-08T12:00:00Z", ["2026-10-14T03:00Z", "2026-11-11T03:00Z"]],
    ["0 3 * * 2#2", "UTC", -1, "2026-10-08T12:00:00Z", ["2026-10-12T03:00Z", "2026-11-09T03:00Z"]],
    ["0 3 1 * *", "UTC", -1, "2026-10-08T12:00:00Z", ["2026-10-31T03:00Z", "2026-11-30T03:00Z"]],
    ["0 3 * * 5L", "UTC", 3, "2026-10-30T12:00:00Z", ["2026-11-02T03:00Z", "2026-11-30T03:00Z"]],
    ["@monthly", "UTC", 31, "2026-01-15T00:00:00Z", ["2026-02-01T00:00Z", "2026-03-04T00:00Z"]],
    // The day after is in winter time.
    ["0 3 * * 6#4", "Europe/Stockholm", 1, "2026-10-01T00:00:00Z", ["2026-10-25T02:00Z"]],
    // Moved into the hour that clocks skip, and out of it.
    ["30 2 * * 6L", "Europe/Stockholm", 1, "2027-03-01T00:00:00Z", ["2027-03-28T01:30Z"]],
    ["30 2 * * 0L", "Europe/Stockholm", 1, "2027-03-01T12:00:00Z", ["2027-03-29T00:30Z"]],
    ["30 23 * * 5L", "Africa/Cairo", 1, "2027-04-01T00:00:00Z", ["2027-05-01T20:30Z"]],
    // A change of half an hour, which brings times into another order.
    ["10,35 2 * * *", "Australia/Lord_Howe", 1, "2026-10-03T14:00:00Z", [
      "2026-10-03T15:35Z",
      "2026-10-03T15:40Z",
      "2026-10-04T15:10Z",
    ]],
  ];
  for (const [format, zone, days, from, expected] of cases) {
    const found = runs(format, zone, from, expected.length, days);
    assert.deepEqual(found, expected, `${format} ${zone} ${days}`);
  }
  assert.match(refusal("@every 1h", null, 1), /@every cannot be moved/);
});

Deno.test("moved times ascend, and each is on the day that it says", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"];
  fc.assert(fc.property(
    fc.constantFrom("30 2 * * *", "0 0 1 * *", "15 */6 * * 0", "59 23 L * *", "0 12 * * 3#1"),
    fc.constantFrom(...zones),
    fc.integer({ min: -31, max: 31 }).filter((days) => days !== 0),
    fc.date({ min: new Date("2024-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
    (format, zone, days, from) => {
      const timetable = parseCron(format, zone, days);
      const plain = parseCron(format, "UTC");
      for (let at = nextRun(timetable, from), n = 0; at && n < 4; n++) {
        assert.ok(at > from);
        const day = Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(zone).toPlainDate()
          .subtract({ days });
        const start = new Date(Date.parse(`${day}T00:00:00Z`) - 1);
        assert.ok(nextRun(plain, start)!.toISOString().startsWith(`${day}`), at.toISOString());
        [from, at] = [at, nextRun(timetable, at)];
      }
    },
  ));
});

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
