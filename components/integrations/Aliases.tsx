import type { AliasView } from "../../lib/triggers/aliases/schema.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, IconLink } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Part } from "./Part.tsx";

interface AliasesProps {
  ui: Ui;
  projectId: number;
  /** Owner of the addresses; null stands for the project. */
  integrationId: number | null;
  aliases: AliasView[];
  /** Whether calls to the addresses of the project reach it, too. */
  searchable?: boolean;
  /** A command line that calls an address. */
  example?: (url: string) => string;
}

/** The addresses that calls come to, for people who manage them. */
export function Aliases(
  { ui, projectId, integrationId, aliases, searchable, example }: AliasesProps,
) {
  const action = ui.href(paths.aliases(projectId, integrationId));
  const about = integrationId === null ? "aliases.about_project" : "aliases.about_integration";
  // One that the API has created has no address until a client, or this button, adds one.
  const isUnreachable = integrationId !== null && !searchable && aliases.length === 0;
  const add = (
    <form method="post" action={action} data-stay>
      <Button icon="plus" kind={isUnreachable ? "primary" : "secondary"}>
        {ui.t("aliases.add")}
      </Button>
    </form>
  );
  return (
    <Part id="aliases" title={ui.t("aliases.title")} about={ui.t(about)} actions={add}>
      {isUnreachable && <Alert kind="warning">{ui.t("aliases.none")}</Alert>}
      {aliases.length > 0 && (
        <ul class="aliases">
          {aliases.map(({ id, url }) => (
            <li key={id}>
              <code>{url}</code>
              <span class="flex">
                <CopyButton
                  what={{ text: url }}
                  label={ui.t("aliases.copy", { url })}
                  copied={ui.t("aliases.copied")}
                />
                <IconLink
                  icon="delete"
                  label={ui.t("actions.delete_named", { name: url })}
                  href={`${action}/${id}/delete`}
                  over
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {example && aliases[0] && (
        <div class="curl-line">
          <pre tabIndex={0}>{example(aliases[0].url)}</pre>
          <CopyButton
            what={{ text: example(aliases[0].url) }}
            label={ui.t("aliases.copy_line")}
            copied={ui.t("aliases.line_copied")}
          />
        </div>
      )}
    </Part>
  );
}
