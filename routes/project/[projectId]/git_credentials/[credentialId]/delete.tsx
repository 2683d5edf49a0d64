import { namedGitCredentials } from "@/lib/resources/git_credentials/service.ts";
import { deletePage } from "@/routes/(_pages)/delete.tsx";

const { handler, DeletePage } = deletePage("git_credentials", "credentialId", namedGitCredentials);
export { DeletePage as default, handler };
