import { acceptDrift, forgetDrift, unacceptDrift } from "@/lib/drift/accept.ts";
import { driftCsv } from "@/lib/drift/csv.ts";
import { driftOperations } from "@/lib/drift/operations.ts";
import { countDrift, listHostDrift, listTemplateDrift } from "@/lib/drift/service.ts";
import { checkOperations } from "@/lib/triggers/checks/operations.ts";
import { startFix } from "@/lib/triggers/checks/fix.ts";
import { startCheck } from "@/lib/triggers/checks/start.ts";
import { Answer, paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { textStream } from "@/lib/web/text_stream.ts";

const ROWS_MAX = 1_000;
const TEMPLATES_MAX = 200;

export const drift = [
  ...bind(driftOperations, {
    async list({ scope, query: { limit, count, state, template_id = 0, host, q, after, sort } }) {
      const { rows, hasNext } = await listHostDrift(scope, {
        ...{ states: state, templateId: template_id, host, q, after, order: sort },
        limit: Math.min(limit ?? count ?? ROWS_MAX, ROWS_MAX),
      });
      return paged(rows, hasNext, ({ cursor }) => ({ after: cursor }));
    },
    async stats({ scope, query: { limit, count, after } }) {
      const page = { after, limit: Math.min(limit ?? count ?? TEMPLATES_MAX, TEMPLATES_MAX) };
      const [hosts, { templates, hasNext }] = await Promise.all([
        countDrift(scope),
        listTemplateDrift(scope, page),
      ]);
      const { next, init } = paged(templates, hasNext, (last) => ({ after: last.template_id }));
      return new Answer({ hosts, templates }, init, next);
    },
    csv({ scope, query: { state, template_id = 0, host, q } }) {
      const rows = driftCsv(scope, { states: state, templateId: template_id, host, q });
      return new Response(textStream(() => rows), {
        headers: {
          "Content-Type": "text/csv; charset=utf-8",
          "Content-Disposition": `attachment; filename="drift_${scope.projectId}.csv"`,
        },
      });
    },
    accept: ({ scope, ids, body }) => acceptDrift(scope, ids.templateId, body),
    unaccept: ({ scope, ids, body }) => unacceptDrift(scope, ids.templateId, body.hosts),
    forget: ({ scope, ids, params }) => forgetDrift(scope, ids.templateId, params.host),
  }),
  ...bind(checkOperations, {
    start: ({ scope, ids }) => startCheck(scope, ids.templateId),
    fix: ({ scope, ids, body }) => startFix(scope, ids.templateId, body),
  }),
];
