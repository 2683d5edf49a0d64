/** Reloads the page when the development server is back after a restart. */
const address = new URL("/_frsh/alive", location.href);
address.protocol = address.protocol.replace("http", "ws");
let revision: string | null = null;

function connect(): void {
  const socket = new WebSocket(address);
  socket.onmessage = ({ data }) => {
    if (revision !== null && revision !== data) location.reload();
    revision = data;
  };
  socket.onclose = () => setTimeout(connect, 500);
}

connect();
