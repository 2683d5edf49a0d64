/** How bad a connection is. It may be changed at any time, for the connections from then on. */
interface LinkRules {
  /** Delay of each byte in each direction. */
  delayMs: number;
  /** Time after which each connection is cut, whatever it is doing; 0 for never. */
  cutMs: number;
}

/** A TCP proxy that stands for a bad network. */
export interface BadLink extends AsyncDisposable {
  readonly port: number;
  /** Number of connections so far, and of those that were cut. */
  readonly counts: { opened: number; cut: number };
  become(rules: Partial<LinkRules>): void;
}

/** Opens a link to a port of this machine. */
export function openBadLink(to: number): BadLink {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const rules: LinkRules = { delayMs: 0, cutMs: 0 };
  const counts = { opened: 0, cut: 0 };
  const open = new Set<() => void>();
  const serving = serve();

  async function serve() {
    for await (const near of listener) pass(near).catch(() => {});
  }

  async function pass(near: Deno.TcpConn) {
    counts.opened++;
    const { delayMs, cutMs } = rules;
    const far = await Deno.connect({ hostname: "127.0.0.1", port: to })
      .catch(() => near.close());
    if (!far) return;
    const close = () => {
      open.delete(close);
      clearTimeout(timer);
      for (const end of [near, far]) quietly(() => end.close());
    };
    open.add(close);
    const cut = () => {
      counts.cut++;
      close();
    };
    const timer = cutMs > 0 ? setTimeout(cut, cutMs) : undefined;
    // A connection that one side has reset is closed on the other side, too.
    await Promise.all([copy(near, far, delayMs), copy(far, near, delayMs)]).finally(close);
  }

  return {
    port: listener.addr.port,
    counts,
    become: (changes) => void Object.assign(rules, changes),
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const close of [...open]) close();
      await serving;
    },
  };
}

/** Copies bytes until the end of `from`, each `delayMs` later. */
async function copy(from: Deno.TcpConn, to: Deno.TcpConn, delayMs: number): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const later = (act: () => Promise<unknown>) => {
    const due = delayMs > 0 ? new Promise((done) => setTimeout(done, delayMs)) : null;
    last = Promise.all([last, due]).then(act);
    last.catch(() => {});
  };
  for await (const bytes of from.readable) later(() => writeAll(to, bytes));
  later(() => to.closeWrite());
  await last;
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

function quietly(act: () => void) {
  try {
    act();
  } catch {
    // It is closed already.
  }
}
