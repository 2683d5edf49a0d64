import * as z from "zod";
import { operation } from "../access/operation.ts";
import {
  acceptDriftForm,
  driftQuery,
  driftStatsQuery,
  driftStatsSchema,
  hostDriftSchema,
  unacceptDriftForm,
} from "./schema.ts";
import { acceptDrift, forgetDrift, unacceptDrift } from "./accept.ts";
import { driftCsv } from "./csv.ts";
import { countDrift, listHostDrift, listTemplateDrift } from "./service.ts";
import { Answer, paged } from "../access/answer.ts";
import { textStream } from "../http/text_stream.ts";

const tag = "Drift";

const list = { tag, method: "GET", access: "member", query: driftQuery } as const;

const ROWS_MAX = 1_000;

const TEMPLATES_MAX = 200;

export const driftOperations = [
  operation({
    ...list,
    id: "listDrift",
    path: "/project/{projectId}/drift",
    summary: "List the drift of the hosts of a project",
    details:
      "One row per host and template, worst first, or by host with `sort=host`. `would_change` " +
      "leaves out differences that someone has accepted, which `accepted` selects. Continue with " +
      "`after`, the `cursor` of a row.",
    answer: z.array(hostDriftSchema),
    async run({ scope, query: { limit, count, state, template_id = 0, host, q, after, sort } }) {
      const { rows, hasNext } = await listHostDrift(scope, {
        ...{ states: state, templateId: template_id, host, q, after, order: sort },
        limit: Math.min(limit ?? count ?? ROWS_MAX, ROWS_MAX),
      });
      return paged(rows, hasNext, ({ cursor }) => ({ after: cursor }));
    },
  }),
  operation({
    id: "getDriftStats",
    method: "GET",
    path: "/project/{projectId}/drift/stats",
    tag,
    summary: "Get the drift statistics of a project",
    details: "Lists the checked templates by ID, at most 200. Continue with `after`, an ID.",
    access: "member",
    query: driftStatsQuery,
    answer: driftStatsSchema,
    async run({ scope, query: { limit, count, after } }) {
      const page = { after, limit: Math.min(limit ?? count ?? TEMPLATES_MAX, TEMPLATES_MAX) };
      const [hosts, { templates, hasNext }] = await Promise.all([
        countDrift(scope),
        listTemplateDrift(scope, page),
      ]);
      const { next, init } = paged(templates, hasNext, (last) => ({ after: last.template_id }));
      return new Answer({ hosts, templates }, init, next);
    },
  }),
  operation({
    ...list,
    id: "exportDrift",
    path: "/project/{projectId}/drift.csv",
    summary: "Download the drift of the hosts of a project as CSV",
    details:
      "Contains all matching rows. `limit` and `after` are ignored. `change_tasks` has a line " +
      "for each Ansible task that would change the host.",
    answer: z.string(),
    contentType: "text/csv",
    run({ scope, query: { state, template_id = 0, host, q }, ui }) {
      const rows = driftCsv(scope, { states: state, templateId: template_id, host, q }, ui.t);
      return new Response(textStream(() => rows), {
        headers: {
          "Content-Type": "text/csv; charset=utf-8",
          "Content-Disposition": `attachment; filename="drift_${scope.projectId}.csv"`,
        },
      });
    },
  }),
  operation({
    id: "acceptDrift",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/drift/accept",
    tag,
    summary: "Accept the differences of hosts until a given time",
    details: "The acceptance also ends when a later check finds another change.",
    access: "run_tasks",
    body: acceptDriftForm,
    status: 204,
    errors: [409],
    run: ({ scope, ids, body }) => acceptDrift(scope, ids.templateId, body),
  }),
  operation({
    id: "unacceptDrift",
    method: "POST",
    path: "/project/{projectId}/templates/{templateId}/drift/unaccept",
    tag,
    summary: "Stop accepting the differences of hosts",
    access: "run_tasks",
    body: unacceptDriftForm,
    status: 204,
    run: ({ scope, ids, body }) => unacceptDrift(scope, ids.templateId, body.hosts),
  }),
  operation({
    id: "forgetDrift",
    method: "DELETE",
    path: "/project/{projectId}/templates/{templateId}/drift/{host}",
    tag,
    summary: "Delete the state of a host for a template",
    details: "The next check that reaches the host creates it again.",
    access: "manage_resources",
    run: ({ scope, ids, params }) => forgetDrift(scope, ids.templateId, params.host),
  }),
];
