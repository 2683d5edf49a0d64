import type { TaskLogTexts } from "./log_texts.ts";
import { IconButton } from "@/components/ui/Button.tsx";
import { CopyButton } from "@/components/ui/CopyButton.tsx";
import { Icon } from "@/components/ui/Icon.tsx";

interface LogOutProps {
  /** Address of the task in the API. */
  api: string;
  taskId: number;
  texts: TaskLogTexts;
  toggleFullScreen(): void;
}

/** Buttons for full screen, copying, and downloading the log. */
export function LogOut({ api, taskId, texts, toggleFullScreen }: LogOutProps) {
  // All lines as shown, without colors.
  const text = `${api}/raw_output?plain=true`;
  return (
    <span class="log-out">
      <IconButton
        type="button"
        icon="maximize"
        label={texts.full_screen}
        onClick={toggleFullScreen}
      />
      <CopyButton what={{ from: text }} label={texts.copy} copied={texts.copied} />
      <a
        class="icon-button"
        href={text}
        download={`task_${taskId}.txt`}
        title={texts.download}
      >
        <Icon name="download" />
        <span class="sr-only">{texts.download}</span>
      </a>
    </span>
  );
}
