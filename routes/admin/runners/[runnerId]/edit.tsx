import { editRunnerPage } from "@/routes/(_pages)/runner_pages.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = editRunnerPage(SERVER_RUNNERS);
export { handler, Page as default };
