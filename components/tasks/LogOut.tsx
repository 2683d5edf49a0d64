import CopyButton from "../../islands/CopyButton.tsx";
import type { TaskLogTexts } from "./log_texts.ts";
import { IconButton } from "@/components/ui/Button.tsx";
import { Icon } from "@/components/ui/Icon.tsx";

interface LogOutProps {
  /** Address of the task in the API. */
  api: string;
  taskId: number;
  texts: TaskLogTexts;
  toggleFullScreen(): void;
}

/** The ways out of a log's box: the whole screen, the clipboard, and a file. */
export function LogOut({ api, taskId, texts, toggleFullScreen }: LogOutProps) {
  return (
    <span class="log-out">
      <IconButton
        type="button"
        icon="maximize"
        label={texts.full_screen}
        onClick={toggleFullScreen}
      />
      <CopyButton text={() => wholeText(api)} label={texts.copy} texts={copyTexts(texts)} />
      <a
        class="icon-button"
        href={`${api}/raw_output?plain=true`}
        download={`task_${taskId}.txt`}
        title={texts.download}
      >
        <Icon name="download" />
        <span class="sr-only">{texts.download}</span>
      </a>
    </span>
  );
}

/** All lines as they are shown, without colours. */
async function wholeText(api: string): Promise<string> {
  const answer = await fetch(`${api}/raw_output?plain=true`);
  if (!answer.ok) throw new Error(answer.statusText);
  return await answer.text();
}

const copyTexts = ({ copied, copy_failed, copy_unavailable, close }: TaskLogTexts) => ({
  copied,
  failed: copy_failed,
  unavailable: copy_unavailable,
  close,
});
