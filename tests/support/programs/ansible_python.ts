/**
 * Runs a script with the Python of the machine's Ansible, so that Ansible's own code can be called.
 * The script reads JSON from standard input and prints JSON.
 */
export async function askAnsible<Answer>(script: string, input: unknown): Promise<Answer> {
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      'read -r first <"$(command -v ansible-playbook)"; exec ${first#??} -c "$1"',
      "sh",
      script,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(input)));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error("Ansible's Python failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}
