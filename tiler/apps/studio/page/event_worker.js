// A worker that all tabs of a browser share: it holds the one stream of events of all of them.
import { EventStream } from "./event_stream.js";

/** The tabs, by their sessions. @type {Map<string, MessagePort>} */
const tabs = new Map();
const stream = new EventStream((session, told) => tabs.get(session)?.postMessage(told));

/** @type {any} */ (globalThis).onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => {
  port.onmessage = ({ data: { session, race } }) => {
    if (!tabs.has(session)) {
      tabs.set(session, port);
      // A tab holds the lock with the name of its session as long as it is there, however it ends.
      navigator.locks.request(session, () => {
        tabs.delete(session);
        stream.leave(session);
      });
    }
    stream.join(session, race);
  };
};
