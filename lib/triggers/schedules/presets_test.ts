import assert from "node:assert/strict";
import { cronPreset, presetCron, PRESETS, USUAL_TIMES } from "./presets.ts";

Deno.test("a preset and its cron format stand for each other", () => {
  const times = { minute: 5, hour: 14, weekday: 3, day: 28 };
  const formats = PRESETS.map((preset) => presetCron({ preset, ...times }));
  assert.deepEqual(formats, [
    "5 * * * *",
    "5 14 * * *",
    "5 14 * * 1-5",
    "5 14 * * 3",
    "5 14 28 * *",
  ]);
  for (const preset of PRESETS) {
    const format = presetCron({ preset, ...times });
    assert.equal(presetCron(cronPreset(format)!), format);
    assert.equal(cronPreset(format)!.preset, preset);
  }
});

Deno.test("other spellings of a preset are recognized", () => {
  const usual = { ...USUAL_TIMES, minute: 0, hour: 0 };
  assert.deepEqual(cronPreset("@daily"), { ...usual, preset: "daily" });
  assert.deepEqual(cronPreset(" 07  3 * * MON-FRI "), {
    ...USUAL_TIMES,
    preset: "weekdays",
    minute: 7,
  });
  for (const sunday of ["0", "7", "sun"]) {
    assert.equal(cronPreset(`0 0 * * ${sunday}`)?.weekday, 0, sunday);
  }
  assert.equal(cronPreset("@hourly")?.preset, "hourly");
});

Deno.test("other formats are not presets", () => {
  const others = [
    ...["", "* * * * *", "*/5 * * * *", "0 * 1 * *", "0 3 1 * 1", "0 3 * 6 *", "0 3 * * 1,2"],
    ...["61 3 * * *", "0 24 * * *", "0 3 32 * *", "0 3 * * 8", "0 0 3 * * *", "@every 1h"],
    ...["constructor", "toString", "__proto__"],
    ...["@yearly", "CRON_TZ=UTC 0 3 * * *", "0 3 L * *", "-1 3 * * *", "1.5 3 * * *"],
  ];
  for (const format of others) assert.equal(cronPreset(format), null, format);
});
