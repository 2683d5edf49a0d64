/** Sends bytes to a server unchanged, and returns the answer up to the end of its head. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  using connection = await openRaw(url, bytes);
  return await connection.answer();
}

/** The head of an answer. The status is 0 if the server closed the connection without one. */
interface RawAnswer {
  status: number;
  headers: Headers;
}

/** Opens a connection and sends `bytes`, one per character. It stays open until it is disposed. */
export async function openRaw(url: string, bytes: string | Uint8Array) {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const content = typeof bytes === "string" ? latin1(bytes) : bytes;
  // The server may close the connection during this.
  await new Blob([content as BlobPart]).stream().pipeTo(connection.writable, { preventClose: true })
    .catch(() => {});
  return {
    answer: async () => parseHead(await readHead(connection.readable)),
    [Symbol.dispose]() {
      try {
        connection.close();
      } catch {
        // The server has closed the connection.
      }
    },
  };
}

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

async function readHead(readable: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  try {
    for await (const chunk of readable) {
      text += String.fromCharCode(...chunk);
      if (text.includes("\r\n\r\n")) break;
    }
  } catch {
    // It was closed with data left to read, but the data received so far counts.
  }
  return text.split("\r\n\r\n")[0];
}

function parseHead(head: string): RawAnswer {
  const [first, ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1));
  }
  return { status: Number(first.split(" ")[1] ?? 0), headers };
}
