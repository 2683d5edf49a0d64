import { runnerProtocolOperations } from "@/lib/runners/operations.ts";
import { registerRunner, rotateToken } from "@/lib/runners/register.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const runnerProtocol = bind(runnerProtocolOperations, {
  register: ({ scope, req, address, body }) =>
    registerRunner(scope.deps, { headers: req.headers, address }, body),
  rotate: ({ scope, req }) => rotateToken(scope.deps, { headers: req.headers }),
});
