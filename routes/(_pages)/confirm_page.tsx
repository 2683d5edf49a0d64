import type { ComponentChildren } from "preact";
import { type Context, page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { type ReferenceGroup, References } from "@/components/ui/References.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { newForm, saveForm } from "@/lib/web/forms/form.ts";
import type { Destination } from "@/lib/web/pages/form_page.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import type { Rights } from "@/lib/web/rights.ts";
import { define, isOfProject, routeOf, type State } from "@/lib/web/state.ts";

interface Question {
  title: string;
  /** Names between the title and that of the project or server, for the document's title. */
  parts?: string[];
  question: string;
  /** Path of "Cancel". */
  cancel: string;
  /** Label of the confirming button; "Delete" by default. */
  yes?: string;
  /** Whether the action takes nothing away. */
  harmless?: boolean;
  children?: ComponentChildren;
  /** Objects that prevent the action. They are shown instead of the question. */
  uses?: { title: string; sentence: string; groups: ReferenceGroup[] };
}

/** The differences between one page that asks before an action and others. */
interface ConfirmPage<Seen, Manager extends Seen, Found> {
  rights: Rights<Seen, Manager>;
  /** Finds what the question is about. */
  find: (scope: Seen, ctx: Context<State>) => Found | Promise<Found>;
  ask: (ui: Ui, found: Found, state: State, url: URL) => Question;
  /** The action. Errors lead to the error page, unless there is a `refusedStatus`. */
  act: (scope: Manager, found: Found) => Promise<unknown>;
  next: (found: Found, ctx: Context<State>) => Destination;
  /** Status of the page if it shows why the action was refused. */
  refusedStatus?: number;
}

/** Creates a page that asks before an action. It posts to its own address. */
export function confirmPage<Seen, Manager extends Seen, Found>(
  { rights, find, ask, act, next, refusedStatus }: ConfirmPage<Seen, Manager, Found>,
) {
  const handler = define.handlers({
    GET: async (ctx) =>
      page({ found: await find(rights.sees(ctx.state, ctx.req), ctx), form: newForm() }),

    async POST(ctx) {
      const found = await find(rights.sees(ctx.state, ctx.req), ctx);
      const perform = async () => await act(await rights.manages(ctx.state), found);
      if (!refusedStatus) await perform();
      else {
        const form = await saveForm({ ok: true, value: found, values: {}, errors: {} }, perform);
        if (!form.ok) return page({ found, form }, { status: refusedStatus });
      }
      return seeOther(ctx, ...next(found, ctx));
    },
  });

  const Page = define.page<typeof handler>(({ data: { found, form }, state, url }) => {
    const { ui } = state;
    const { title, parts = [], uses, cancel: path, ...question } = ask(ui, found, state, url);
    const place = isOfProject(state) ? state.shell.project.name : ui.t("admin.title");
    const cancel = ui.href(path);
    return (
      <>
        <Title ui={ui} parts={[title, ...parts, place]} />
        {uses && uses.groups.some(({ items }) => items.length > 0)
          ? <References ui={ui} {...uses} close={cancel} />
          : (
            <Confirm
              ui={ui}
              yes={ui.t("actions.delete")}
              {...{ title, ...question, cancel, form }}
              action={url.pathname + url.search}
            />
          )}
      </>
    );
  });
  return { handler, Page };
}

/** Creates the page as a route of an app. */
export function confirmRoute<Seen, Manager extends Seen, Found>(
  settings: ConfirmPage<Seen, Manager, Found>,
) {
  const { handler, Page } = confirmPage(settings);
  return routeOf(handler, Page);
}
