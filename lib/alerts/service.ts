import type { ProjectScope } from "../access/scope.ts";
import { conflict } from "../base/errors.ts";
import type { TestResult } from "./schema.ts";
import { channelOf, settingsTargets } from "./targets/settings_targets.ts";
import { sendTest } from "./targets/test_target.ts";

/** Sends a test message to each target that the settings define, and returns the results. */
export async function sendTestAlert(
  scope: ProjectScope<"update_project">,
): Promise<TestResult[]> {
  const tests = settingsTargets(scope.deps.config).map(async (target) => {
    const result = await sendTest(scope, scope.project, target);
    return result && { channel: channelOf(target.id)!, ok: result.ok, reason: result.reason };
  });
  const results = (await Promise.all(tests)).filter((result) => result !== null);
  if (results.length === 0) throw conflict("errors.alerts.no_channel");
  return results;
}
