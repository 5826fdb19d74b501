/** First and longest delay, in ms, before a refused stream is opened again; the delay doubles each time. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 120_000;

/**
 * Calls `onEvent` at each event named `name` of the stream at an address, and each time the stream opens, as events may
 * have been missed while it was cut. Returns a function that closes the stream.
 */
export function listen(address: string, name: string, onEvent: () => void): () => void {
  let stream: EventSource;
  let wait = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stream = new EventSource(address);
    stream.addEventListener(name, onEvent);
    stream.addEventListener('open', () => {
      wait = FIRST_WAIT_MS;
      onEvent();
    });
    stream.addEventListener('error', () => {
      // A browser reconnects by itself after a cut, but not after a refusal.
      if (stream.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}
