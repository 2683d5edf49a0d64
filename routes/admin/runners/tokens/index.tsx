import { runnerTokensPage } from "@/routes/(_pages)/runner_tokens.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = runnerTokensPage(SERVER_RUNNERS);
export { handler, Page as default };
