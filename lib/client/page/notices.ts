/** Sent to the window when the choice has changed. */
export const NOTICES_CHOSEN = "callboard:notices";

const KEY = "callboard.notices";

/** Returns the events that this browser notifies about. */
export function chosenNotices(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? "").split(",").filter(Boolean);
  } catch {
    return []; // The browser blocks storage.
  }
}

/** Remembers the events in this browser, for all of its pages. Returns whether it can. */
export function chooseNotices(events: string[]): boolean {
  try {
    localStorage.setItem(KEY, events.join(","));
  } catch {
    return false;
  }
  dispatchEvent(new Event(NOTICES_CHOSEN));
  return true;
}

/** Whether this browser can show notifications of a page. */
export const hasNotifications = (): boolean => isSecureContext && "Notification" in globalThis;

/** Returns the address of the stream with the chosen notices; null if there are none to show. */
export function noticesAddress(events: string): string | null {
  const chosen = chosenNotices();
  if (chosen.length === 0 || !hasNotifications()) return null;
  return Notification.permission === "granted" ? `${events}?own=${chosen.join(",")}` : null;
}

interface Notice {
  title: string;
  body: string;
  url: string;
  tag: string;
}

/** Shows a notification that leads to its page. Other pages with the same one replace it. */
export function showNotice(json: string): void {
  const { title, body, url, tag }: Notice = JSON.parse(json);
  try {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      focus();
      location.assign(url);
      notification.close();
    };
  } catch {
    // Some browsers of phones show notifications of service workers only.
  }
}
