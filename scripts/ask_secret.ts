const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ENTER = ["\r", "\n"];
const ERASE = ["\b", "\x7f"];
const INTERRUPT = "\x03";

/** Asks at the terminal without showing the input. */
export async function askSecret(question: string): Promise<string> {
  Deno.stdout.writeSync(encoder.encode(question));
  Deno.stdin.setRaw(true);
  try {
    return await readLine();
  } finally {
    Deno.stdin.setRaw(false);
    Deno.stdout.writeSync(encoder.encode("\n"));
  }
}

async function readLine(): Promise<string> {
  const typed: string[] = [];
  const buffer = new Uint8Array(256);
  for (let read; (read = await Deno.stdin.read(buffer)) !== null;) {
    for (const character of decoder.decode(buffer.subarray(0, read), { stream: true })) {
      if (ENTER.includes(character)) return typed.join("");
      if (character === INTERRUPT) Deno.exit(130);
      if (ERASE.includes(character)) typed.pop();
      else typed.push(character);
    }
  }
  return typed.join("");
}
