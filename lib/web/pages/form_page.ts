import { type Context, page } from "fresh";
import type { Sentence } from "../../base/errors.ts";
import type { Expected } from "../../base/version.ts";
import {
  type Choices,
  expectedOf,
  hasChoices,
  refusedForm,
  withChoices,
} from "../forms/conflict.ts";
import { type FormErrors, type FormState, type ParsedForm, saveForm } from "../forms/form.ts";
import { type FormValues, readForm } from "../forms/read_form.ts";
import type { Rights } from "../rights.ts";
import { define, type State } from "../state.ts";
import { restoredForm } from "./form_draft.ts";
import { seeOther } from "./see_other.ts";

type Ctx = Context<State>;

/** The page to open next, and the message shown there. */
export type Destination = readonly [path: string, key?: string, params?: Sentence["params"]];

/** The same page again, with what only this answer shows. */
export interface Again<Extra> {
  form: FormState;
  extra?: Extra;
  headers?: Headers;
}

type Answer<Extra> = Destination | Response | Again<Extra>;

/** A form that is being saved. */
interface Saving<Manager, Found, Value> {
  ctx: Ctx;
  scope: Manager;
  found: Found;
  value: Value;
  /** The typed values that `value` was made of. */
  typed: FormValues;
  /** The version that the form was filled in for. */
  expected: Expected;
}

/** The differences between one page with a form and others. */
export interface FormSettings<Seen, Manager extends Seen, Found, Extra, Value, Result, Beside> {
  rights: Rights<Seen, Manager>;
  /** Finds what the form is about. `sent` is blank unless the form was sent. */
  find: (scope: Seen, ctx: Ctx, sent: FormValues) => Found | Promise<Found>;
  /** Returns the form as stored (`formOf`), or that of a new row. */
  shown: (found: Found, ctx: Ctx) => FormState | Promise<FormState>;
  /** Maximum size in bytes of the sent form. */
  bytesMax?: number;
  /** Answers a button that does not save the form; null if another button was pressed. */
  button?: (
    sent: FormValues,
    found: Found,
    ctx: Ctx,
  ) => Answer<Extra> | null | Promise<Answer<Extra> | null>;
  /** Tidies the sent values before they are compared with the stored ones, checked and shown. */
  read?: (sent: FormValues, found: Found, ctx: Ctx) => FormValues | Promise<FormValues>;
  /** Checks the typed values. Without it, `save` gets them as they are. */
  parse?: (typed: FormValues, found: Found, ctx: Ctx) => ParsedForm<Value>;
  /** Saves the form. The form shows the errors that are about it. */
  save: (saving: Saving<Manager, Found, Value>) => Promise<Result>;
  /** Statuses of errors without a field that the form shows. */
  shownStatuses?: readonly number[];
  /** Status of the page that shows errors; 422 by default. */
  refusedStatus?: number;
  /** Moves errors to the page's fields if they differ from those of the schema. */
  errorsAt?: (
    errors: FormErrors,
    typed: FormValues,
    found: Found,
    ctx: Ctx,
  ) => FormErrors | Promise<FormErrors>;
  /** Returns the names behind ids, for the page that shows the changes of two people. */
  choices?: (found: Found, ctx: Ctx, typed: FormValues) => Choices | Promise<Choices>;
  /** Answers a saved form. */
  next: (
    saved: Saving<Manager, Found, Value> & { result: Result },
  ) => Answer<Extra> | Promise<Answer<Extra>>;
  /** Loads the page's further data for its form, whose values may be typed ones. */
  beside?: (form: FormState, found: Found, ctx: Ctx, extra?: Extra) => Beside | Promise<Beside>;
}

/**
 * Creates the handlers of a page with a form. The data of the page are what was found, `form`, and
 * `beside`. Two people's edits, drafts of expired sessions and refused forms need nothing else.
 */
export function formPage<
  Seen,
  Manager extends Seen,
  Found extends object,
  Extra,
  Value = FormValues,
  Result = void,
  Beside extends object = object,
>(settings: FormSettings<Seen, Manager, Found, Extra, Value, Result, Beside>) {
  const { rights, find, shown, button, read, parse = unchecked, save, next } = settings;
  const { errorsAt = (errors) => errors, refusedStatus = 422 } = settings;

  async function chosen(ctx: Ctx, found: Found, typed: FormValues) {
    return hasChoices(typed) ? withChoices(typed, await shown(found, ctx)) : typed;
  }

  async function show(
    ctx: Ctx,
    found: Found,
    { form: sent, extra, headers }: Again<Extra>,
    status = 200,
  ) {
    const form = { ...sent, values: await chosen(ctx, found, sent.values) };
    const beside = await settings.beside?.(form, found, ctx, extra) as Beside;
    return page({ ...found, form, ...beside }, { status, headers });
  }

  async function answer(ctx: Ctx, found: Found, given: Answer<Extra>) {
    if (given instanceof Response) return given;
    return "form" in given ? await show(ctx, found, given) : seeOther(ctx, ...given);
  }

  return define.handlers({
    async GET(ctx: Ctx) {
      const { state, req } = ctx;
      const found = await find(rights.sees(state, req), ctx, {});
      return await show(ctx, found, { form: restoredForm(state) ?? await shown(found, ctx) });
    },

    async POST(ctx: Ctx) {
      const { state, req } = ctx;
      const scope = rights.sees(state, req);
      const sent = await readForm(req, settings.bytesMax);
      const found = await find(scope, ctx, sent);
      const pressed = await button?.(sent, found, ctx);
      if (pressed) return await answer(ctx, found, pressed);
      const typed = await chosen(ctx, found, await read?.(sent, found, ctx) ?? sent);
      const form = await saveForm(
        (parse as NonNullable<typeof settings.parse>)(typed, found, ctx),
        async (value) => {
          const manager = await rights.manages(state);
          const saving = { ctx, scope: manager, found, value, typed, expected: expectedOf(typed) };
          return { ...saving, result: await save(saving) };
        },
        settings.shownStatuses,
      );
      if (form.ok) return await answer(ctx, found, await next(form.result));
      const readNow = async () => shown(await find(await rights.manages(state), ctx, sent), ctx);
      const choices = () => settings.choices?.(found, ctx, typed) ?? {};
      const refused = await refusedForm(typed, form.errors, readNow, choices);
      const errors = await errorsAt(refused.form.errors, typed, found, ctx);
      const status = refused.status === 422 ? refusedStatus : refused.status;
      return await show(ctx, found, { form: { ...refused.form, errors } }, status);
    },
  });
}

const unchecked = (values: FormValues) => ({
  ok: true as const,
  value: values,
  values,
  errors: {},
});
