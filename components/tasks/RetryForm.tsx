import { PersonalFields, personalLabels } from "./PersonalFields.tsx";
import { hasCommitChoice } from "./RetryCommands.tsx";
import { Checkbox, Segments, Select } from "@/components/ui/forms/Choice.tsx";
import { Field, SECRET_LINES, TextArea } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { AskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import type { Retriable } from "@/lib/queue/again/retriable.ts";
import { answerName } from "@/lib/surveys/answer_fields.ts";
import { RETRIED_HOSTS } from "@/lib/tasks/retry_form.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

/** Returns "Run again on the 3 failed hosts", or its equivalent for unreachable ones or both. */
export function retryLabel(ui: Ui, { not_ok, failed, unreachable }: Retriable["counts"]): string {
  const which = unreachable === 0 ? "failed" : failed === 0 ? "unreachable" : "not_ok";
  return ui.t(`retry.on.${which}`, { count: not_ok });
}

interface RetryFormProps {
  ui: Ui;
  form: FormState;
  task: TaskView;
  retriable: Retriable;
  /** The questions with secret answers that have to be given again. */
  questions: { name: string; title: string }[];
  personal: AskedPersonal;
  action: string;
  cancel: string;
}

/** Asks how a task is repeated on hosts that failed. */
export function RetryForm(
  { ui, form, task, retriable, questions, personal, action, cancel }: RetryFormProps,
) {
  const { counts, startAt } = retriable;
  const common = { ui, form };
  const kinds = RETRIED_HOSTS.filter((which) => counts[which] > 0);
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={cancel}
      save={ui.t("retry.run")}
      labels={{
        hosts: ui.t("sections.hosts"),
        ...Object.fromEntries(questions.map(({ name, title }) => [answerName(name), title])),
        ...personalLabels(ui),
        commit: ui.t("tasks.commit"),
        start_at_failed: ui.t("retry.start_at"),
        message: ui.t("start_task.message"),
      }}
    >
      <input type="hidden" name="back" value={form.values.back} />
      <p class="m-0">{ui.t("retry.intro", { id: task.id })}</p>
      {counts.failed > 0 && counts.unreachable > 0
        ? (
          <Select
            {...common}
            name="hosts"
            label={ui.t("sections.hosts")}
            options={kinds.map((value) => ({
              value,
              label: ui.t(`retry.kind.${value}`, { number: ui.number(counts[value]) }),
            }))}
          />
        )
        : <p class="m-0 font-semibold">{retryLabel(ui, counts)}</p>}
      {questions.map(({ name, title }, n) => (
        <TextArea
          key={n}
          {...common}
          {...SECRET_LINES}
          name={answerName(name)}
          label={title}
          required
        />
      ))}
      <PersonalFields {...common} personal={personal} />
      <CommitField {...common} task={task} />
      {startAt !== null && (
        <Checkbox
          {...common}
          name="start_at_failed"
          label={ui.t("retry.start_at_task", { task: visible(startAt) })}
          hint={ui.t("retry.start_at_hint")}
        />
      )}
      <Field {...common} name="message" label={ui.t("start_task.message")} />
    </Form>
  );
}

/** Asks for the commit. */
function CommitField({ task, ...common }: Pick<RetryFormProps, "ui" | "form" | "task">) {
  const { ui } = common;
  if (!hasCommitChoice(task)) return null;
  return (
    <Segments
      {...common}
      name="commit"
      label={ui.t("tasks.commit")}
      hint={task.tpl_type === "build" ? ui.t("retry.build_hint") : undefined}
      options={[
        {
          value: "same",
          label: ui.t("retry.commit.same", { commit: task.commit_hash.slice(0, 8) }),
        },
        { value: "latest", label: ui.t("retry.commit.latest") },
      ]}
    />
  );
}
