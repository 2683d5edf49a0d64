import type { PublicDeps } from "../../access/deps.ts";
import type { AdminScope } from "../../access/scope.ts";
import { type CheckName, glanceAt, listChecks } from "../checks/checks.ts";
import { checkServer, type DoctorDeps } from "../checks/doctor.ts";
import { type Glance, lookAtServer } from "../checks/glance.ts";
import type { Machine } from "../checks/machine.ts";
import type { WorkDeps } from "../jobs/service.ts";
import type { Check, CheckListView, Health } from "./schema.ts";

/** Quick checks by their names in answers. */
const MEMBERS = {
  store: "store",
  disk: "folder",
  ansible: "ansible",
  isolation: "isolation",
  queue: "queue",
  schedules: "schedules",
  alerts: "alerts",
  audit: "audit",
  backup: "backup",
  process: "process",
  loops: "loops",
  jobs_late: "jobs_late",
  jobs_set_aside: "jobs_set_aside",
} satisfies Record<keyof Health["checks"], CheckName>;

/** Dependencies of a server that checks itself. */
export type ChecksDeps = DoctorDeps & WorkDeps & { machine: Machine };

/** Checks whether this server can work, with reasons. Nothing in the result is secret. */
export const checkHealth = async (
  deps: PublicDeps & WorkDeps & { machine: Machine },
): Promise<Health> => healthOf(await lookAtServer(deps));

/** Returns the answer to a glance. */
export function healthOf(glance: Glance): Health {
  const checks = Object.fromEntries(
    Object.entries(MEMBERS).map(([member, name]) => [member, checkOf(name, glance)]),
  ) as Health["checks"];
  const fails = !checks.store.ok || !checks.disk.ok;
  const well = Object.values(checks).every(({ ok }) => ok);
  return {
    status: fails ? "failing" : well ? "ok" : "degraded",
    maintenance: glance.stored?.maintenance ?? "off",
    checks,
  };
}

function checkOf(name: CheckName, glance: Glance): Check {
  const wrong = glanceAt(name, glance).find(({ level }) => level !== "ok");
  return { ok: !wrong, reason: wrong?.found ?? null };
}

/** Returns all checks as of now, with the findings of the latest thorough ones. */
export async function readChecks(
  { deps }: AdminScope<ChecksDeps>,
): Promise<CheckListView> {
  const { at, level, results } = listChecks(await lookAtServer(deps), deps.doctor.latest);
  const checks = results.flatMap(({ check, findings }) =>
    findings.map((finding) => ({ check, ...finding }))
  );
  return { at, level, checks };
}

/** Runs the thorough checks, and returns the same. */
export async function runServerChecks(
  scope: AdminScope<ChecksDeps>,
): Promise<CheckListView> {
  await checkServer(scope);
  return await readChecks(scope);
}
