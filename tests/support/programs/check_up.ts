import assert from "node:assert/strict";
import type { CheckUp } from "@/lib/monitoring/checks/check_up.ts";
import type { Finding, Level } from "@/lib/monitoring/checks/finding.ts";
import { openLocalCheckUp } from "@/lib/monitoring/checks/local_check_up.ts";
import { tell } from "@/lib/i18n/tell.ts";
import { translator } from "@/lib/i18n/translate.ts";

type Variables = Record<string, string>;

/** Opens the check-up of a server with these variables, as the command does. */
export const openCheckUp = (variables: Variables, sendTo: string | null = null) =>
  openLocalCheckUp({
    variables: new Map(Object.entries({ PATH: Deno.env.get("PATH")!, ...variables })),
    names: Object.keys(variables),
    sendTo,
  });

/** Runs one check of a server with these variables. Returns its level and sentences. */
export async function findingsOf(
  check: (checkUp: CheckUp) => Promise<Finding[]>,
  variables: Variables,
  more: Partial<CheckUp> = {},
): Promise<[Level, string][]> {
  await using checkUp = await openCheckUp(variables);
  return (await check({ ...checkUp, ...more })).map((
    { level, found, next },
  ) => [
    level,
    [found, next].filter((part) => part !== null).map((part) => tell(part, t)).join(" "),
  ]);
}
const t = translator("en");

/** A wrong situation, and the finding that it must give among others. */
export interface Case {
  title: string;
  level: Level;
  says: RegExp;
  findings(): Promise<[Level, string][]>;
}

/** Fails unless each case gives its finding. */
export async function assertCases(cases: Case[]): Promise<void> {
  for (const { title, level, says, findings } of cases) {
    const found = await findings();
    const isThere = found.some(([its, text]) => its === level && says.test(text));
    assert.ok(isThere, `${title}: ${JSON.stringify(found, null, 1)}`);
  }
}
