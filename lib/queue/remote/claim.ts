import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { ClaimTerms } from "../leases/leases.ts";
import { runnerLease } from "./lease.ts";
import type { HeldPoll } from "./polls.ts";
import type { RemoteRunRow } from "./rows.ts";

/** Returns the terms on which the process that polls claims a task. */
export function claimForRunner(deps: Deps, { runner, request }: HeldPoll): ClaimTerms {
  const { session, facts } = request;
  const row: RemoteRunRow = {
    run: crypto.randomUUID(),
    runner_id: runner.id,
    session,
    server: null,
    lines_before: null,
    begun: null,
  };
  return {
    lease: runnerLease(deps, runner.id, session),
    change: {
      ansible_version: facts.ansible ?? undefined,
      runner_id: runner.id,
      runner_name: runner.name,
    },
    also: (op, task) => void op.set(rowKeys.remoteRun(task.id), row),
  };
}
