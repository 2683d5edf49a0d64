import { runnerTokensPage } from "@/routes/(_pages)/runner_tokens.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = runnerTokensPage(PROJECT_RUNNERS);
export { handler, Page as default };
