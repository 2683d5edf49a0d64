/**
 * Returns a setting of an ini file, read as Python's configparser reads it for Ansible. Names may
 * be in any case. Values continue in lines with a deeper indentation. Comments have a line of their
 * own or follow a semicolon.
 */
export function iniSetting(lines: string[], section: string, name: string): string | null {
  let [inSection, current, indent] = [false, "", 0];
  const values: string[] = [];
  for (const line of lines) {
    const text = withoutComment(line);
    if (text === "") continue;
    const its = line.length - line.trimStart().length;
    if (current !== "" && its > indent) {
      if (inSection && current === name) values.push(text);
      continue;
    }
    indent = its;
    const header = /^\[(.+)\]/.exec(text);
    if (header) [inSection, current] = [header[1] === section, ""];
    else {
      const at = text.search(/[=:]/);
      current = (at < 0 ? text : text.slice(0, at)).trim().toLowerCase();
      if (inSection && current === name) values.splice(0, Infinity, text.slice(at + 1).trim());
    }
  }
  return values.length === 0 ? null : values.join("\n");
}

function withoutComment(line: string): string {
  if (/^\s*[#;]/.test(line)) return "";
  const at = line.search(/(?<=\s);/);
  return (at < 0 ? line : line.slice(0, at)).trim();
}
