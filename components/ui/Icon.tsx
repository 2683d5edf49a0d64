import { type IconName, ICONS } from "./icons.ts";

export type { IconName };

interface IconProps {
  name: IconName;
  /** Meaning of the icon, if no text beside it says it. */
  label?: string;
  class?: string;
}

/** An icon in the color and size of the surrounding text. */
export function Icon({ name, label, class: classes = "" }: IconProps) {
  return (
    <svg
      class={`icon ${classes}`}
      viewBox="0 0 24 24"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      <path d={ICONS[name]} />
    </svg>
  );
}
