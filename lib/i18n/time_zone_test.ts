import assert from "node:assert/strict";
import { createUi } from "./ui.ts";
import { knownTimeZone, timeZones } from "./time_zone.ts";

const uiOf = (timeZone?: string) =>
  createUi({ language: "en", theme: "system", basePath: "", timeZone, t: (key) => key });

/** Uses ordinary spaces, because the space before AM and PM depends on the runtime. */
const plain = (text: string) => text.replace(/\s/g, " ");

Deno.test("a time zone is any name in the tz database, and nothing else", () => {
  const zones: Record<string, string | null> = {
    "Europe/Berlin": "Europe/Berlin",
    "europe/berlin": "Europe/Berlin",
    "Asia/Kolkata": "Asia/Calcutta",
    "Etc/UTC": "UTC",
    "UTC": "UTC",
    "+02:00": null,
    "": null,
    "Mars/Olympus": null,
    "Europe/Berlin; path=/": null,
    ["x".repeat(100_000)]: null,
  };
  for (const [name, zone] of Object.entries(zones)) {
    assert.equal(knownTimeZone(name), zone, name.slice(0, 40));
  }
  for (const zone of timeZones()) assert.equal(knownTimeZone(zone), zone);
});

Deno.test("times are shown in the reader's zone with its name, and in UTC", () => {
  const at = "2024-05-02T22:11:12.000Z";
  const berlin = uiOf("Europe/Berlin");
  assert.equal(plain(berlin.dateTime(at)), "May 3, 2024, 12:11:12 AM GMT+2");
  assert.equal(plain(berlin.minute(at)), "Fri, May 3, 2024, 12:11 AM GMT+2");
  assert.equal(berlin.clock(at), "00:11:12");
  assert.equal(plain(berlin.exact(at)), "May 3, 2024, 12:11:12 AM GMT+2 · 2024-05-02 22:11:12 UTC");
  const utc = uiOf();
  assert.equal(utc.timeZone, "UTC");
  assert.equal(plain(utc.dateTime(at)), "May 2, 2024, 10:11:12 PM UTC");
  assert.equal(plain(utc.exact(at)), "May 2, 2024, 10:11:12 PM UTC");
  assert.equal(utc.clock(at), "22:11:12");
});

Deno.test("a planned time is shown to the minute, in any requested zone", () => {
  const at = "2024-05-02T22:30:00.000Z";
  const { minute } = uiOf("Europe/Berlin");
  assert.equal(plain(minute(at)), "Fri, May 3, 2024, 12:30 AM GMT+2");
  assert.equal(plain(minute(at, "UTC")), "Thu, May 2, 2024, 10:30 PM UTC");
});
