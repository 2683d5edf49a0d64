import { paths } from "@/lib/base/paths.ts";
import { forgetHost, getProjectHost } from "@/lib/hosts/service.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";
import { hostOf } from "@/routes/(_pages)/hosts.ts";

/** Asks before a host is forgotten. */
const { handler, Page } = confirmPage({
  rights: asMember("manage_resources"),
  find: (scope, { url }) => getProjectHost(scope, hostOf(scope.projectId, url)),
  ask: (ui, { name }, { scope }) => ({
    title: ui.t("hosts.forget_title"),
    parts: [name],
    question: ui.t("hosts.forget_question", { name }),
    cancel: paths.section(scope.projectId, "hosts"),
    yes: ui.t("hosts.forget"),
  }),
  act: (scope, { name }) => forgetHost(scope, name),
  next: ({ name }, { state: { scope } }) => [
    paths.section(scope.projectId, "hosts"),
    "flash.hosts.forgotten",
    { name },
  ],
});
export { handler, Page as default };
