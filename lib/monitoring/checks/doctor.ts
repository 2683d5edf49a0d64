import type { AdminScope } from "../../access/scope.ts";
import type { Deps, PublicDeps } from "../../access/deps.ts";
import { inTime } from "../../base/time/in_time.ts";
import type { Environment } from "../../base/settings/settings.ts";
import { firstKeys } from "../../store/first_of_each.ts";
import type { CheckUp } from "./check_up.ts";
import { type Report, runChecks } from "./checks.ts";
import { type ProbeAnswer, readProbe } from "./probe.ts";

/** Checks of this server alone, one run at a time. */
export interface Doctor {
  /** Id of this process, by which a check-up recognizes the server behind an address. */
  instance: string;
  env: Environment;
  running: Promise<Report> | null;
  /** Report of the latest run since the start. */
  latest: Report | null;
}

export const createDoctor = (env: Environment): Doctor => ({
  instance: crypto.randomUUID(),
  env,
  running: null,
  latest: null,
});

export type DoctorDeps = Deps & { doctor: Doctor };

/** Checks this server now, or waits for the run of someone else. */
export async function checkServer({ deps }: AdminScope<DoctorDeps>): Promise<void> {
  const { doctor } = deps;
  doctor.running ??= runChecks(checkUpOf(deps)).finally(() => doctor.running = null);
  doctor.latest = await doctor.running;
}

function checkUpOf({ kv, doctor, ...deps }: DoctorDeps): CheckUp {
  return {
    ...deps,
    env: doctor.env,
    // A start refuses settings that are not usable.
    settingsFindings: [],
    providers: deps.providers.list,
    readRow: async (key) => (await inTime(kv.get(key))).value,
    readFirstKeys: (prefix) => inTime(firstKeys(kv, prefix)),
    instance: doctor.instance,
    sendTo: null,
  };
}

/** A request as it arrived, from the address `address`. */
interface Arrived {
  headers: Headers;
  origin: string;
  address: string;
}

/** Answers a probe with how it arrived. Throws not found for requests that are not probes. */
export async function answerProbe(
  deps: PublicDeps & { doctor: Doctor },
  { headers, origin, address }: Arrived,
): Promise<ProbeAnswer> {
  return {
    nonce: await readProbe(deps, headers),
    instance: deps.doctor.instance,
    origin,
    address,
    forwardedFor: headers.get("x-forwarded-for"),
    forwardedProto: headers.get("x-forwarded-proto"),
  };
}
