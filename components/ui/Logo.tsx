/** The logo: a board with a cue light. The same drawing as static/logo.svg. */
export const Logo = ({ class: classes = "" }: { class?: string }) => (
  <svg class={classes} viewBox="0 0 64 64" aria-hidden="true">
    <rect x="4" y="6" width="56" height="52" rx="12" fill="#0b6879" />
    <rect x="14" y="17" width="24" height="6" rx="3" fill="#fff" />
    <rect x="14" y="29" width="36" height="6" rx="3" fill="#fff" opacity=".65" />
    <rect x="14" y="41" width="30" height="6" rx="3" fill="#fff" opacity=".65" />
    <circle cx="47" cy="20" r="5" fill="#ffc857" />
  </svg>
);
