import { Alert } from "@/components/ui/Alert.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { StartedFixes } from "@/lib/triggers/checks/fix.ts";
import type { Shell } from "@/lib/web/shell.ts";

interface FixesPageProps {
  ui: Ui;
  shell: Shell;
  fixes: StartedFixes;
  /** The page on which the hosts were chosen. */
  from: string;
}

/** The tasks that have begun to fix hosts, and why others could not be started. */
export function FixesPage({ ui, shell, fixes: { tasks, refused }, from }: FixesPageProps) {
  const { id, name } = shell.project;
  const title = ui.t("drift.fix");
  const crumb = { label: ui.t("sections.drift"), href: ui.href(from) };
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} above={<Breadcrumb ui={ui} crumbs={[crumb]} />} />
      <Alert
        kind="danger"
        class="mb-4"
        title={ui.t("drift.not_started", { number: ui.number(refused.length) })}
      >
        <ul id="not-started">
          {refused.map(({ template_id, template_name, reason }, n) => (
            <li key={n}>
              <a href={ui.href(paths.templateDrift(id, template_id))}>{visible(template_name)}</a>
              {": "}
              {ui.tell(reason)}
            </li>
          ))}
        </ul>
      </Alert>
      {tasks.length > 0 && (
        <Alert
          kind="success"
          title={ui.t("flash.drift.fixes_started", { number: ui.number(tasks.length) })}
        >
          <ul id="started">
            {tasks.map((task, n) => (
              <li key={n}>
                <a href={ui.href(paths.task(id, task.template_id, task.id))}>
                  {visible(task.tpl_alias ?? "")} #{task.id}
                </a>
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}
