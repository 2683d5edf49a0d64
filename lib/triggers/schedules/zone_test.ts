import assert from "node:assert/strict";
import { isTimeZone } from "./cron.ts";
import { timeZones } from "../../i18n/time_zone.ts";
import { localTime, momentOf, zonedPattern } from "./zone.ts";

Deno.test("a zone prefix of a cron format overrides the schedule's", () => {
  assert.deepEqual(zonedPattern("TZ=UTC 0 2 * * *", "Europe/Berlin"), {
    zone: "UTC",
    pattern: "0 2 * * *",
  });
  assert.deepEqual(zonedPattern(" CRON_TZ=Asia/Tokyo @daily ", null), {
    zone: "Asia/Tokyo",
    pattern: "@daily",
  });
  assert.equal(zonedPattern("@daily", "Europe/Berlin").zone, "Europe/Berlin");
  assert.ok(isTimeZone(zonedPattern("@daily", "").zone));
});

Deno.test("a time of a field is a moment of its zone, also during clock changes", () => {
  const berlin = (local: string) => momentOf(local, "Europe/Berlin");
  assert.equal(berlin("2024-05-03T02:30"), "2024-05-03T00:30:00Z");
  assert.equal(berlin("2024-03-31T02:30"), "2024-03-31T01:30:00Z", "an hour that is left out");
  assert.equal(berlin("2024-10-27T02:30"), "2024-10-27T00:30:00Z", "the first of two");
  for (const none of ["", "tomorrow", "2024-13-01T00:00"]) assert.equal(berlin(none), null);
  assert.equal(momentOf("2024-05-03T02:30", "Europe/Nowhere"), null);
  assert.equal(localTime("2024-05-03T00:30:00.000Z", "Europe/Berlin"), "2024-05-03T02:30");
});

Deno.test("each offered time zone is valid", () => {
  const zones = timeZones();
  assert.equal(new Set(zones).size, zones.length);
  assert.ok(zones.includes("UTC") && zones.every(isTimeZone));
});
