import { shellWithin } from "../../execution/process/shell.ts";
import type { RunsCheckUp } from "./check_up.ts";
import { type Finding, problem } from "./finding.ts";

const LIMIT_MS = 5_000;

/** Prints the account and its home if it cannot write there. Ansible knows accounts without one. */
const SCRIPT = `PATH=$1
account=$(id -un 2>/dev/null) || exit 0
eval "home=~$account"
case $home in /*) [ -d "$home" ] && [ -w "$home" ] || printf '%s\\n' "$account" "$home" ;; esac`;

/** Names the home of this account if Ansible could not write the modules of local hosts there. */
export async function checkHome(
  { environment }: Pick<RunsCheckUp, "environment">,
): Promise<Finding[]> {
  const { stdout } = await shellWithin(LIMIT_MS, SCRIPT, environment.path);
  const [account, home] = stdout.split("\n");
  return home ? [problem("warning", "doctor.home", { account: account!, home })] : [];
}
