import { sendTestMail, tryMailServer } from "../../alerts/email/try_mail_server.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

export async function checkMail({ config: { alerts }, sendTo }: CheckUp): Promise<Finding[]> {
  if (alerts.smtpUrl === null) {
    return sendTo === null ? [] : [problem("failed", "doctor.mail.none")];
  }
  const { host, username } = new URL(alerts.smtpUrl);
  const failure = await tryMailServer(alerts);
  if (failure) {
    const { step, why } = failure;
    return [problem("failed", `doctor.mail.${step}`, { host, why })];
  }
  const works = fine(username ? "doctor.mail.works" : "doctor.mail.connects", { host });
  if (sendTo === null) return [works];
  const sent = await sendTestMail(alerts, sendTo);
  return [
    works,
    sent.ok
      ? fine("doctor.mail.sent", { address: sendTo })
      : problem("failed", "doctor.mail.not_sent", {
        address: sendTo,
        why: typeof sent.reason === "string" ? sent.reason : { ...sent.reason },
      }),
  ];
}
