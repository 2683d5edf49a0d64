import * as z from "zod";
import type { InventoryContents } from "../execution/ansible/inventory/graph.ts";
import { readInventory } from "../execution/ansible/inventory/inventory.ts";
import type { LoneInventory } from "../execution/ansible/inventory/inventory_requirements.ts";
import { type HostAnswers, pingHosts } from "../execution/ansible/inventory/ping.ts";
import type { InventoryPlan, ToolchainPlan } from "../execution/ansible/plan.ts";
import {
  type PlaybookCache,
  repositoryBranches,
  type RepositoryContents,
  repositoryContents,
} from "../execution/git/contents.ts";
import { FILE_LENGTH_MAX, type RepositoryFiles, repositoryFiles } from "../execution/git/files.ts";
import { remoteCommit } from "../execution/git/remote_commit.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import type { RepositoryPlan } from "../execution/run/plan.ts";
import { withSecrets } from "../execution/sources/resolve.ts";

/**
 * Time limit of a connection test, for the server that waits and for the runner. Shorter than that
 * of a task, because someone waits for the answer.
 */
export const TEST_LIMIT_MS = 60_000;

/** A connection test, as a server or a runner carries it out. */
export type TestPlan =
  | { kind: "branches"; repository: RepositoryPlan }
  /** Asks for the latest commit of exactly the plan's branch. */
  | { kind: "commit"; repository: RepositoryPlan }
  | { kind: "contents"; repository: RepositoryPlan }
  | { kind: "files"; repository: RepositoryPlan; paths: string[] }
  | { kind: "hosts"; inventory: LoneInventory }
  | { kind: "ping"; inventory: InventoryPlan; toolchain?: ToolchainPlan };

/** The answers of each kind. */
export interface TestAnswers {
  branches: string[];
  commit: string;
  contents: RepositoryContents;
  files: RepositoryFiles;
  hosts: InventoryContents;
  ping: HostAnswers;
}

/** Shapes of the answers that runners send, with the limits of the functions that make them. */
export const testAnswerSchemas: { [Kind in TestPlan["kind"]]: z.ZodType<TestAnswers[Kind]> } = {
  branches: names(1_000),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  contents: z.object({
    branches: names(1_000),
    tags: names(1_000),
    playbooks: names(1_000),
    commit: z.string().max(100).nullable(),
  }),
  files: z.object({
    commit: z.string().max(100).nullable(),
    files: z.array(z.object({
      path: z.string().max(1_000),
      text: z.string().max(FILE_LENGTH_MAX + 1).nullable(),
    })).max(100),
  }),
  hosts: z.object({
    groups: z.array(z.object({ name: z.string().max(1_000), hosts: names(5_000) })).max(500),
    hosts: z.int().min(0).max(1_000_000),
    warnings: names(20),
  }),
  ping: z.object({
    answers: z.array(z.object({
      host: z.string().max(1_000),
      state: z.enum(["answered", "failed", "unreachable"]),
      said: z.string().max(1_000),
    })).max(5_000),
    isCut: z.boolean(),
  }),
};

function names(max: number) {
  return z.array(z.string().max(1_000)).max(max);
}

interface TestOptions {
  stop: AbortSignal;
  kept?: PlaybookCache;
}

/** Runs a connection test as a task of the project would. `kept` is used for `contents`. */
export const carryOutTest = <P extends TestPlan>(
  env: RunEnvironment,
  projectId: number,
  plan: P,
  options: TestOptions,
): Promise<TestAnswers[P["kind"]]> =>
  withSecrets(
    env,
    plan,
    { projectId, stop: options.stop },
    (plan) => carryOut(env, projectId, plan, options) as Promise<TestAnswers[P["kind"]]>,
  );

function carryOut<P extends TestPlan>(
  env: RunEnvironment,
  projectId: number,
  plan: P,
  { stop, kept }: TestOptions,
): Promise<TestAnswers[TestPlan["kind"]]> {
  switch (plan.kind) {
    case "branches":
      return repositoryBranches(env, projectId, plan.repository, stop);
    case "commit":
      return remoteCommit(env, projectId, plan.repository, stop);
    case "contents":
      return repositoryContents(env, projectId, plan.repository, { stop, kept });
    case "files":
      return repositoryFiles(env, projectId, plan.repository, plan.paths, stop);
    case "hosts":
      return readInventory(env, projectId, plan.inventory, stop);
    case "ping":
      return pingHosts(env, projectId, plan, stop);
  }
}
