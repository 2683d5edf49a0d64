import { readAuditSettings } from "../../audit/settings.ts";
import { AUDIT_SINKS, type AuditCursor } from "../../events/cursors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

/** Checks whether the receivers of the audit log confirm its events, as the server has noted. */
export async function checkAuditLog({ env, readRow }: CheckUp): Promise<Finding[]> {
  const settings = await readAuditSettings(env);
  const findings: Finding[] = [];
  for (const receiver of AUDIT_SINKS.filter((sink) => settings[sink] !== null)) {
    const cursor = await readRow(rowKeys.auditCursor(receiver)) as AuditCursor | null;
    const { failing_since: since, reason: why } = cursor ?? {};
    findings.push(
      since
        ? problem("failed", "doctor.audit.failing", { receiver, since, why: why ?? "" })
        : fine("doctor.audit.works", { receiver }),
    );
  }
  return findings;
}
