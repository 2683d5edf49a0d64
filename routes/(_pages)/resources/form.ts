import type * as z from "zod";
import { type NounPermission, RESOURCE_PERMISSIONS } from "@/lib/access/permissions.ts";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { paths } from "@/lib/base/paths.ts";
import type { ResourceService } from "@/lib/resources/common/service.ts";
import { type Choices, formOf } from "@/lib/web/forms/conflict.ts";
import { type FormErrors, parseValues } from "@/lib/web/forms/form.ts";
import { type FormValues, LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";

interface FormRead {
  values: FormValues;
  /** Errors of fields that the schema does not know. */
  errors?: FormErrors;
  errorsAt?: (errors: FormErrors) => FormErrors;
}

interface ResourcePages<Item, Form, Change, Beside> {
  noun: Noun;
  /** Name of the route parameter with the id, or "new". */
  param: string;
  service: ResourceService<Item, Form, Change, NounPermission>;
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
  redrawn?: (values: FormValues) => { values: FormValues; errors?: FormErrors } | null;
  /** Returns the page to open after a new item was saved; null for the list. */
  next?: (form: Form, path: string) => string | null;
  /** Tidies the sent values before they are compared with the stored ones. */
  tidied?: (sent: FormValues) => FormValues;
  /** Converts the page's fields to the schema's if they differ, and the schema's errors back. */
  read?: (values: FormValues) => FormRead;
  /** Throws 400 for values that this page does not offer although the API accepts them. */
  check?: (
    scope: ProjectScope,
    value: Form | Change,
    item: Item | null,
    sent: FormValues,
  ) => void | Promise<void>;
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
  const { noun, param, service, form, changeForm, shown } = pages;
  const read = (typed: FormValues): FormRead => pages.read?.(typed) ?? { values: typed };

  return formPage({
    rights: asMember(RESOURCE_PERMISSIONS[noun]),
    async find(scope, { params }) {
      if (params[param] === "new") return { item: null };
      const id = pageId(params[param]);
      const [item, references] = await Promise.all([
        service.get(scope, id),
        service.references(scope, id),
      ]);
      return { item, references };
    },
    shown: ({ item }) => formOf(item, shown(item)),
    bytesMax: LONG_FORM_BYTES_MAX,
    button(sent) {
      const form = pages.redrawn?.(sent);
      return form ? { form: { errors: {}, isRedrawn: true, ...form } } : null;
    },
    read: (sent) => pages.tidied?.(sent) ?? sent,
    parse(typed, { item }) {
      const { values, errors = {} } = read(typed);
      const schema: z.ZodType<Form | Change> = item ? changeForm(item) : form;
      const parsed = parseValues(values, schema);
      const isWrong = Object.keys(errors).length > 0;
      return isWrong ? { ok: false, values, errors: { ...parsed.errors, ...errors } } : parsed;
    },
    errorsAt: (errors, typed) => read(typed).errorsAt?.(errors) ?? errors,
    choices: async ({ item }, { state: { scope } }) =>
      pages.choices && pages.beside ? pages.choices(await pages.beside(scope, item, {})) : {},
    async save({ scope, value, typed, found: { item }, expected }) {
      await pages.check?.(scope, value, item, typed);
      if (item) {
        await service.update(scope, item.id, value as Change, expected);
        return null;
      }
      const { id } = await service.create(scope, value as Form);
      const path = paths.item(scope.projectId, SECTION_OF[noun], id);
      return pages.next?.(value as Form, path) ?? null;
    },
    next({ scope: { projectId }, value: { name }, found: { item }, result, ctx: { url } }) {
      const end = wayOn(url, projectId) ?? paths.section(projectId, SECTION_OF[noun]);
      const done = `flash.${noun}.${item ? "saved" : "created"}`;
      return [result ? result + url.search : end, done, { name }];
    },
    beside: async ({ values }, { item }, { state: { scope }, url }) => ({
      back: wayOn(url, scope.projectId),
      ...await pages.beside?.(scope, item, values) as Beside,
    }),
  });
}
