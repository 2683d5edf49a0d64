import type { FormState } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunnerTokenView } from "@/lib/runners/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { PageHeader } from "../ui/Page.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { RunnersCrumb, type RunnersPlace, RunnersTitle } from "./place.tsx";
import { PlacementFields, placementLabels, type ProjectChoice } from "./RunnerForm.tsx";

interface TokensPageProps {
  ui: Ui;
  place: RunnersPlace;
  tokens: RunnerTokenView[];
  form: FormState;
  projects: ProjectChoice[] | null;
}

/** Reusable registration tokens, and the form that creates one. */
export function TokensPage({ ui, place, tokens, form, projects }: TokensPageProps) {
  const title = ui.t("runners.tokens.title");
  const path = paths.runners(place.projectId, "/tokens");
  const labels = {
    ...placementLabels(ui),
    uses_max: ui.t("runners.tokens.uses_max"),
    one_off: ui.t("runners.tokens.one_off"),
    expires_at: ui.t("tokens.expires_on"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <RunnersTitle ui={ui} place={place} parts={[title]} />
      <PageHeader title={title} above={<RunnersCrumb ui={ui} place={place} />} />
      <p>{ui.t("runners.tokens.about")}</p>
      <TokensTable ui={ui} place={place} tokens={tokens} />
      <section class="runner-token-form" aria-labelledby="new-token">
        <h2 id="new-token">{ui.t("runners.tokens.new")}</h2>
        <Form
          ui={ui}
          form={form}
          action={ui.href(path)}
          save={ui.t("runners.tokens.create")}
          labels={labels}
        >
          <Field {...field("name")} required />
          <PlacementFields ui={ui} form={form} projects={projects} />
          <Field
            {...field("uses_max")}
            hint={ui.t("runners.tokens.uses_hint")}
            type="number"
            min={0}
          />
          <Checkbox {...field("one_off")} hint={ui.t("runners.tokens.one_off_hint")} />
          <Field {...field("expires_at")} hint={ui.t("tokens.expires_hint")} type="date" />
        </Form>
      </section>
    </>
  );
}

function TokensTable({ ui, place, tokens }: Pick<TokensPageProps, "ui" | "place" | "tokens">) {
  return (
    <Table<RunnerTokenView>
      caption={ui.t("runners.tokens.title")}
      rows={tokens}
      rowId={({ id }) => `token-${id}`}
      empty={<p class="text-muted">{ui.t("runners.tokens.empty")}</p>}
      columns={[
        nameColumn(
          ui,
          "resources.name",
          ({ name, ended }) => ended ? `${name} (${ui.t("tokens.expired")})` : name,
        ),
        {
          label: ui.t("runners.labels"),
          kind: "text",
          cell: ({ tags }) => tags.length > 0 ? tags.join(", ") : <Dash />,
        },
        {
          label: ui.t("runners.tokens.uses"),
          named: true,
          cell: ({ uses, uses_max }) =>
            uses_max > 0
              ? ui.t("lists.shown_of", { rows: uses, total: uses_max })
              : ui.number(uses),
        },
        whenColumn(ui, "tokens.last_used", "last_used"),
        whenColumn(ui, "tokens.expires", "expires_at"),
        actionsColumn(ui, ({ id, name }) => (
          <form
            method="post"
            action={ui.href(paths.runners(place.projectId, "/tokens/delete"))}
            data-stay
          >
            <Button name="token" value={id} icon="delete">
              {ui.t("actions.delete")}
              <span class="sr-only">{` ${name}`}</span>
            </Button>
          </form>
        )),
      ]}
    />
  );
}
