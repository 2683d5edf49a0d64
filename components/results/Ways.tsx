interface WaysProps {
  id: string;
  /** What one chooses. */
  label: string;
  ways: { name: string; text: string; href: string; current: boolean }[];
}

/** Ways to look at the same: by their addresses, and in place where a script is. */
export const Ways = ({ id, label, ways }: WaysProps) => (
  <nav aria-label={label}>
    <ul class="ways">
      {ways.map(({ name, text, href, current }, n) => (
        <li key={n}>
          <a id={`${id}-${name}`} href={href} aria-current={current ? "true" : "false"} data-stay>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
