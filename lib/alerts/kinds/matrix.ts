import { escapeHtml, htmlLink, plainMessage } from "../text.ts";
import { SIGNS } from "../moods.ts";
import { addressBelow, type HttpKind, postOf } from "./kind.ts";

/**
 * A room: https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 * Attempts have the same transaction, so that the room shows a message once.
 */
export const matrix: HttpKind = {
  fields: [
    { name: "server", type: "url", required: true },
    { name: "room", required: true },
    { name: "token", secret: true, required: true, inHeader: true },
  ],
  request({ server, room, token }, { message, id }) {
    const { title, mood, facts, url } = message;
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${id}`;
    const heading = `${SIGNS[mood]} <strong>${escapeHtml(title)}</strong>`;
    const items = facts.map(({ label, value, url }) =>
      `<li>${escapeHtml(label)}: ${htmlLink(value, url)}</li>`
    );
    const link = url ? `<p>${htmlLink(url, url)}</p>` : "";
    return {
      ...postOf(addressBelow(server, path), {
        msgtype: "m.text",
        body: plainMessage(message),
        format: "org.matrix.custom.html",
        // Without it, "@room" and names in the text would call people.
        "m.mentions": {},
        formatted_body: `${heading}<ul>${items.join("")}</ul>${link}`,
      }, { Authorization: `Bearer ${token}` }),
      method: "PUT",
    };
  },
};
