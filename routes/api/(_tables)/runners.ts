import {
  projectRunnerOperations,
  runnerProtocolOperations,
  serverRunnerOperations,
} from "@/lib/runners/operations.ts";
import { registerRunner, requireSpokenProtocol, rotateToken } from "@/lib/runners/register.ts";
import {
  createReusableToken,
  deleteReusableToken,
  listReusableTokens,
} from "@/lib/runners/reusable_tokens.ts";
import {
  createRunner,
  deleteRunner,
  getRunner,
  listOwnRunners,
  listRunnerTags,
  newRegistrationToken,
  revokeRunner,
  type RunnerManager,
  type RunnersScope,
  setRunnerActive,
  setRunnerState,
  updateRunner,
} from "@/lib/runners/service.ts";
import type { Expected } from "@/lib/base/version.ts";
import type {
  RunnerBody,
  RunnerChange,
  RunnerState,
  RunnerTokenForm,
} from "@/lib/runners/schema.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const runnerProtocol = bind(runnerProtocolOperations, {
  register: {
    admit: ({ scope, req }) => requireSpokenProtocol(scope.deps, req.headers),
    run: ({ scope, req, address, body }) =>
      registerRunner(scope.deps, { headers: req.headers, address }, body),
  },
  rotate: ({ scope, req }) => rotateToken(scope.deps, { headers: req.headers }),
});

interface Sees {
  scope: RunnersScope;
}
interface Manages {
  scope: RunnerManager;
}
interface Names {
  ids: { runnerId: number };
}

/** The functions of both kinds of runners. The scope says which. */
const functions = {
  list: ({ scope }: Sees) => listOwnRunners(scope),
  tags: ({ scope }: Sees) => listRunnerTags(scope),
  async create({ scope, body }: Manages & { body: RunnerBody }) {
    const { runner, registrationToken } = await createRunner(scope, body);
    return { ...runner, registration_token: registrationToken, token: "", private_key: "" };
  },
  get: ({ scope, ids }: Sees & Names) => getRunner(scope, ids.runnerId),
  update: ({ scope, ids, body, expected }:
    & Manages
    & Names
    & { body: RunnerChange; expected: Expected }) =>
    updateRunner(scope, ids.runnerId, body, expected),
  delete: ({ scope, ids, expected }: Manages & Names & { expected: Expected }) =>
    deleteRunner(scope, ids.runnerId, expected),
  setActive: ({ scope, ids, body }: Manages & Names & { body: { active: boolean } }) =>
    setRunnerActive(scope, ids.runnerId, body.active),
  setState: ({ scope, ids, body }: Manages & Names & { body: { state: RunnerState } }) =>
    setRunnerState(scope, ids.runnerId, body.state),
  newToken: ({ scope, ids }: Manages & Names) => newRegistrationToken(scope, ids.runnerId),
  revoke: ({ scope, ids }: Manages & Names) => revokeRunner(scope, ids.runnerId),
  async clearCache({ scope, ids }: Manages & Names) {
    await getRunner(scope, ids.runnerId);
  },
  listTokens: ({ scope }: Manages) => listReusableTokens(scope),
  createToken: ({ scope, body }: Manages & { body: RunnerTokenForm }) =>
    createReusableToken(scope, body),
  deleteToken: ({ scope, ids }: Manages & { ids: { tokenId: number } }) =>
    deleteReusableToken(scope, ids.tokenId),
};

export const serverRunners = bind(serverRunnerOperations, functions);
export const projectRunners = bind(projectRunnerOperations, functions);
