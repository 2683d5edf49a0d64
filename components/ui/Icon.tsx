import { ICONS } from "./icons.tsx";

export type IconName = keyof typeof ICONS;

interface IconProps {
  name: IconName;
  /** Says what the picture means, where no text beside it does. */
  label?: string;
  class?: string;
}

/** A picture in the colour and size of the text around it. */
export function Icon({ name, label, class: classes = "" }: IconProps) {
  return (
    <svg
      class={`icon ${classes}`}
      viewBox="0 0 24 24"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      {ICONS[name]()}
    </svg>
  );
}
