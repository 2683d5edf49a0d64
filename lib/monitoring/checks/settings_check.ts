import { isOpenToOthers, usedConfigFile } from "../../base/settings/config_file.ts";
import { fileVariable, SECRET_SETTINGS } from "../../base/settings/secret_settings.ts";
import type { CheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

const OF_OTHERS = 0o007;
/** Secrets of containers, whose modes the container's runtime sets. */
const BY_RUNTIME = /^\/run\/secrets\//;

/** Reports settings that could not be read, and files of secrets that everyone may read. */
export async function checkSettings(
  { env, settingsFindings }: Pick<CheckUp, "env" | "settingsFindings">,
): Promise<Finding[]> {
  const names = [...SECRET_SETTINGS.map(fileVariable), "CALLBOARD_OIDC_FILE"];
  const open = await Promise.all(names.map(async (name): Promise<Finding[]> => {
    const path = env.get(name);
    if (!path || BY_RUNTIME.test(path)) return [];
    const info = await Deno.stat(path).catch(() => null);
    if (((info?.mode ?? 0) & OF_OTHERS) === 0) return [];
    return [problem("warning", "doctor.settings.open_file", { name, path })];
  }));
  const file = usedConfigFile(env);
  const openConfig = file && await isOpenToOthers(file)
    ? [
      problem("warning", "doctor.settings.open_file", {
        name: "CALLBOARD_CONFIG",
        path: file.path,
      }),
    ]
    : [];
  const wrong = [...settingsFindings, ...open.flat(), ...openConfig];
  return wrong.length > 0 ? wrong : [fine("doctor.settings.valid")];
}
