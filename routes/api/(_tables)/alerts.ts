import { feedOperations } from "@/lib/alerts/feed/operations.ts";
import { createFeed, deleteFeed, getFeed, readFeed } from "@/lib/alerts/feed/service.ts";
import { alertOperations } from "@/lib/alerts/operations.ts";
import type { RuleForm } from "@/lib/alerts/rules/schema.ts";
import {
  createRule,
  deleteRule,
  getRule,
  listRules,
  updateRule,
} from "@/lib/alerts/rules/service.ts";
import type { AlertsScope } from "@/lib/alerts/scope.ts";
import { sendTestAlert } from "@/lib/alerts/service.ts";
import { projectAlertOperations, serverAlertOperations } from "@/lib/alerts/set_up_operations.ts";
import type { TargetForm } from "@/lib/alerts/targets/schema.ts";
import {
  createTarget,
  deleteTarget,
  getTarget,
  listTargetDeliveries,
  listTargets,
  resumeTarget,
  testTarget,
  updateTarget,
} from "@/lib/alerts/targets/service.ts";
import type { Expected } from "@/lib/base/version.ts";
import { atomResponse } from "@/lib/web/api/atom.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const alerts = bind(alertOperations, {
  test: ({ scope }) => sendTestAlert(scope),
  testNotifications: ({ scope }) => sendTestAlert(scope),
});

export const alertFeeds = bind(feedOperations, {
  get: ({ scope }) => getFeed(scope),
  create: ({ scope }) => createFeed(scope),
  delete: ({ scope }) => deleteFeed(scope),
  read: async ({ scope, params, req }) =>
    atomResponse(await readFeed(scope.deps, params.token), req.headers),
});

interface Manages {
  scope: AlertsScope;
}
interface OneTarget extends Manages {
  ids: { targetId: number };
  expected: Expected;
}
interface OneRule extends Manages {
  ids: { ruleId: number };
  expected: Expected;
}

/** The functions of a project's alerts, and of the server's. The scope says which. */
const functions = {
  listTargets: ({ scope }: Manages) => listTargets(scope),
  createTarget: ({ scope, body }: Manages & { body: TargetForm }) => createTarget(scope, body),
  getTarget: ({ scope, ids }: OneTarget) => getTarget(scope, ids.targetId),
  updateTarget: ({ scope, ids, body, expected }: OneTarget & { body: TargetForm }) =>
    updateTarget(scope, ids.targetId, body, expected),
  deleteTarget: ({ scope, ids, expected }: OneTarget) =>
    deleteTarget(scope, ids.targetId, expected),
  testTarget: ({ scope, ids }: OneTarget) => testTarget(scope, ids.targetId),
  resumeTarget: ({ scope, ids }: OneTarget) => resumeTarget(scope, ids.targetId),
  listDeliveries: ({ scope, ids }: OneTarget) => listTargetDeliveries(scope, ids.targetId),
  listRules: ({ scope }: Manages) => listRules(scope),
  createRule: ({ scope, body }: Manages & { body: RuleForm }) => createRule(scope, body),
  getRule: ({ scope, ids }: OneRule) => getRule(scope, ids.ruleId),
  updateRule: ({ scope, ids, body, expected }: OneRule & { body: RuleForm }) =>
    updateRule(scope, ids.ruleId, body, expected),
  deleteRule: ({ scope, ids, expected }: OneRule) => deleteRule(scope, ids.ruleId, expected),
};

export const serverAlerts = bind(serverAlertOperations, functions);
export const projectAlerts = bind(projectAlertOperations, functions);
