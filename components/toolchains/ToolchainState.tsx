import type { Ui } from "../../lib/i18n/ui.ts";
import type { ToolchainView } from "../../lib/resources/toolchains/schema.ts";
import { Dash } from "../ui/cells.tsx";

/** Whether this server has built a toolchain, and the version of its Ansible. */
export function ToolchainState({ ui, toolchain, href }: {
  ui: Ui;
  /** The page of its build. */
  href?: string;
  toolchain: Pick<ToolchainView, "kind" | "state" | "ansible_version" | "path" | "image">;
}) {
  const { kind, state, ansible_version, path, image } = toolchain;
  const place = kind === "path" ? path : image;
  if (place) return <code class="clamp" title={place}>{place}</code>;
  if (state === null) return <Dash />;
  const version = state === "ready" && /\[([^[\]]+)\]/.exec(ansible_version ?? "")?.[1];
  const text = ui.t(`toolchains.states.${state}`);
  const said = version ? ui.labelled(text, version) : text;
  return href ? <a href={href} data-over>{said}</a> : <span>{said}</span>;
}
