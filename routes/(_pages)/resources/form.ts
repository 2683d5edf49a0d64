import { type ProjectScope, reopen } from "@/lib/access/scope.ts";
import { type Context, page } from "fresh";
import type * as z from "zod";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { paths } from "@/lib/base/paths.ts";
import type { ResourceService } from "@/lib/resources/common/service.ts";
import type { Expected } from "@/lib/base/version.ts";
import {
  type Choices,
  expectedOf,
  formOf,
  refusedForm,
  withChoices,
} from "@/lib/web/forms/conflict.ts";
import { type FormErrors, type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";

interface FormRead {
  values: FormValues;
  errorsAt?: (errors: FormErrors) => FormErrors;
}

interface ResourcePages<Item, Form, Change, Beside> {
  noun: Noun;
  /** Name of the route parameter with the id, or "new". */
  param: string;
  service: ResourceService<Item, Form, Change>;
  /** Schemas of a new item and of a change of `item`. */
  form: z.ZodType<Form>;
  changeForm: (item: Item) => z.ZodType<Change>;
  /** Initial values of the form of `item`, or with null of a new one. */
  shown: (item: Item | null) => object;
  /** Loads further data for the page. The values may be those that were typed. */
  beside?: (scope: ProjectScope, item: Item | null, values: FormValues) => Promise<Beside>;
  /** Choices of fields that hold ids. */
  choices?: (beside: Beside) => Choices;
  /** Returns the form after a button that does not save; null if another button was pressed. */
  redrawn?: (values: FormValues) => FormValues | null;
  /** Returns the page to open after a new item was saved; null for the list. */
  next?: (form: Form, path: string) => string | null;
  /** Converts the page's fields to the schema's if they differ, and the schema's errors back. */
  read?: (values: FormValues) => FormRead;
  /** Throws 400 for values that this page does not offer although the API accepts them. */
  check?: (scope: ProjectScope, value: Form | Change, item: Item | null) => Promise<void>;
}

type Saving<Item, Form, Change> = Pick<
  ResourcePages<Item, Form, Change, never>,
  "noun" | "service" | "form" | "changeForm" | "check" | "next"
>;

/** Saves a new resource or a change of `item`. Errors of the form are part of the result. */
async function save<
  Item extends { id: number },
  Form extends { name: string },
  Change extends { name: string },
>(
  { noun, service, form, changeForm, check, next }: Saving<Item, Form, Change>,
  scope: ProjectScope,
  item: Item | null,
  values: FormValues,
  expected: Expected,
) {
  if (!item) {
    return await saveForm(parseValues(values, form), async (value) => {
      await check?.(scope, value, item);
      const { id } = await service.create(await reopen(scope, "manage_resources"), value);
      const path = paths.item(scope.projectId, SECTION_OF[noun], id);
      return { name: value.name, next: next?.(value, path) ?? null };
    });
  }
  return await saveForm(parseValues(values, changeForm(item)), async (value) => {
    await check?.(scope, value, item);
    const manager = await reopen(scope, "manage_resources");
    await service.update(manager, item.id, value, expected);
    return { name: value.name, next: null };
  });
}

/**
 * Creates handlers for the form of a new or an existing resource, shown by the page `ResourceForm`.
 */
export function resourceFormHandlers<
  Item extends { id: number },
  Form extends { name: string },
  Change extends { name: string },
  Beside extends object = object,
>(pages: ResourcePages<Item, Form, Change, Beside>) {
  const { noun, param, service, shown, redrawn, read } = pages;

  /** Returns the item to change, or null for a new one, and its uses. */
  async function find({ scope, shell }: State, idText: string) {
    requirePermission(shell, "manage_resources");
    if (idText === "new") return { item: null };
    const id = pageId(idText);
    const [item, references] = await Promise.all([
      service.get(scope, id),
      service.references(scope, id),
    ]);
    return { item, references };
  }
  type Found = Awaited<ReturnType<typeof find>>;

  async function formPage(
    { state: { scope }, url }: Pick<Context<State>, "state" | "url">,
    found: Found,
    form: FormState,
    status = 200,
  ) {
    const beside = await pages.beside?.(scope, found.item, form.values) as Beside;
    return page({ ...found, form, back: wayOn(url, scope.projectId), ...beside }, { status });
  }

  const storedForm = ({ item }: { item: Item | null }) => formOf(item, shown(item));

  return define.handlers({
    async GET(ctx) {
      const { state, params } = ctx;
      const found = await find(state, params[param]);
      return await formPage(ctx, found, restoredForm(state) ?? storedForm(found));
    },

    async POST(ctx) {
      const { state, params, req } = ctx;
      const found = await find(state, params[param]);
      const typed = withChoices(await readForm(req, LONG_FORM_BYTES_MAX), storedForm(found));
      const other = redrawn?.(typed);
      if (other) return await formPage(ctx, found, { values: other, errors: {} });
      const { values, errorsAt = (errors) => errors }: FormRead = read?.(typed) ??
        { values: typed };
      const form = await save(pages, state.scope, found.item, values, expectedOf(typed));
      if (!form.ok) {
        const readNow = async () => storedForm(await find(state, params[param]));
        const beside = await pages.beside?.(state.scope, found.item, {}) as Beside;
        const choices = pages.choices?.(beside);
        const refused = await refusedForm(typed, errorsAt(form.errors), readNow, choices);
        return await formPage(ctx, found, refused.form, refused.status);
      }
      const { projectId } = state.scope;
      const { next } = form.result;
      const end = wayOn(ctx.url, projectId) ?? paths.section(projectId, SECTION_OF[noun]);
      const done = `flash.${noun}.${found.item ? "saved" : "created"}`;
      return seeOther(ctx, next ? next + ctx.url.search : end, done, { name: form.result.name });
    },
  });
}
