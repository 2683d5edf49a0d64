import { parseCertificate, validityProblem } from "../../lib/execution/ssh/certificate.ts";
import { isoTime } from "../../lib/base/time/clock.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

const DAY_MS = 86_400_000;
/** A certificate is said to expire from this many days before. */
const DAYS_BEFORE = 7;

/** Contents of a key's certificate, and until when it is valid. */
export function Certificate({ ui, line, now }: { ui: Ui; line: string; now: number }) {
  const certificate = parseCertificate(line);
  if (!certificate) return null;
  const { keyId, principals } = certificate;
  return (
    <section class="public-key" aria-labelledby="certificate">
      <div class="public-key-head">
        <h2 id="certificate">{ui.t("keys.certificate")}</h2>
        <CertificateChip ui={ui} line={line} now={now} />
      </div>
      <p>{validity(ui, certificate, now)}</p>
      <p>{ui.labelled(ui.t("keys.certified.key_id"), keyId)}</p>
      {principals.length > 0 && (
        <p>{ui.labelled(ui.t("keys.certified.logins"), ui.list(principals))}</p>
      )}
    </section>
  );
}

function validity(
  ui: Ui,
  certificate: NonNullable<ReturnType<typeof parseCertificate>>,
  now: number,
): string {
  const problem = validityProblem(certificate, now);
  if (problem) return ui.t(`keys.certified.${problem.key}`, { since: isoTime(problem.at) });
  if (certificate.validUntil === null) return ui.t("keys.certified.unlimited");
  return ui.t("keys.certified.valid", { since: isoTime(certificate.validUntil) });
}

/** Chip of a certificate that admits no one now, or that expires within a week. */
export function CertificateChip({ ui, line, now }: { ui: Ui; line: string; now: number }) {
  const certificate = parseCertificate(line);
  if (!certificate) return null;
  const { validUntil } = certificate;
  const problem = validityProblem(certificate, now);
  if (problem) return <span class="chip chip-danger">{ui.t(`keys.chips.${problem.key}`)}</span>;
  if (validUntil === null || validUntil - now > DAYS_BEFORE * DAY_MS) return null;
  const count = Math.ceil((validUntil - now) / DAY_MS);
  return <span class="chip chip-warning">{ui.t("keys.chips.certificate_expires", { count })}</span>;
}
