import assert from "node:assert/strict";
import { quietUntil } from "./quiet.ts";

const NIGHT = { from: "22:00", to: "06:30", timezone: "Europe/Berlin" };
const until = (hours: typeof NIGHT, now: string) =>
  quietUntil(hours, new Date(now))?.toISOString() ?? null;

Deno.test("quiet hours may reach past midnight, in their own time zone", () => {
  assert.equal(until(NIGHT, "2024-01-10T20:59:00Z"), null);
  assert.equal(until(NIGHT, "2024-01-10T21:00:00Z"), "2024-01-11T05:30:00.000Z");
  assert.equal(until(NIGHT, "2024-01-11T05:29:59Z"), "2024-01-11T05:30:00.000Z");
  assert.equal(until(NIGHT, "2024-01-11T05:30:00Z"), null);
  const noon = { from: "12:00", to: "13:00", timezone: "UTC" };
  assert.equal(until(noon, "2024-01-10T12:30:00Z"), "2024-01-10T13:00:00.000Z");
  assert.equal(until(noon, "2024-01-10T13:00:00Z"), null);
});

Deno.test("quiet hours end at their time of day when clocks change", () => {
  assert.equal(until(NIGHT, "2024-03-30T22:00:00Z"), "2024-03-31T04:30:00.000Z");
});
