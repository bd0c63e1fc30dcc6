// The server: requests, and events that go on after a dropped connection.

import { t } from "./words.js";

/** @typedef {import("./types.d.ts").TableState} TableState */

const SILENCE = 40_000; // milliseconds; the server says every 15 seconds that it is still there

/**
 * Asks the server. Throws an Error whose message is one line for people.
 * @param {string} method @param {string} path @param {unknown} [body] @param {string} [token] @param {AbortSignal} [signal]
 */
export async function ask(method, path, body, token, signal) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const given = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(path, { method, headers, body: given, signal }).catch((error) => {
    throw navigator.onLine ? error : new Error(t("offline"));
  });
  if (answer.status === 204) return null;
  const text = await answer.text();
  if (answer.ok) return answer.headers.get("content-type")?.startsWith("text/") ? text : JSON.parse(text);
  throw refusal(answer, text);
}

/** Returns the error of a refused request, in the language of the page. @param {Response} answer @param {string} body */
function refusal(answer, body) {
  let why = `${answer.status} ${answer.statusText}`;
  try {
    const { error, text } = JSON.parse(body);
    why = text ? t(text.key, text.args) : error ?? why;
  } catch {
    // an answer of something in between
  }
  return Object.assign(new Error(why), { status: answer.status });
}

/**
 * Listens to a table until stopped; comes back by itself, at once when the browser is online again, from the
 * last turn that it has heard of. A silent connection is taken for lost.
 * @param {string} id @param {string} token
 * @param {(state: TableState) => void} hear @param {(connected: boolean) => void} connection
 * @param {(error: Error) => void} refused
 * @returns {() => void} stops it
 */
export function listen(id, token, hear, connection, refused) {
  const stop = new AbortController();
  let offline = new AbortController();
  addEventListener("offline", () => offline.abort(), { signal: stop.signal });
  /** @type {number | undefined} */
  let silent;
  const heard = () => {
    clearTimeout(silent);
    silent = window.setTimeout(() => offline.abort(), SILENCE);
  };
  let last = "";
  const once = async (/** @type {AbortSignal} */ signal) => {
    /** @type {Record<string, string>} */
    const headers = { Authorization: `Bearer ${token}` };
    if (last) headers["Last-Event-ID"] = last;
    heard();
    const answer = await fetch(`api/tables/${id}/events`, { headers, signal });
    if (!answer.ok || !answer.body) {
      throw refusal(answer, await answer.text());
    }
    connection(true);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let left = "";
    for (;;) {
      const { done, value } = await reader.read();
      heard();
      if (done) return;
      left += value;
      const parts = left.split("\n\n");
      left = parts.pop() ?? "";
      for (const part of parts) {
        const data = part.split("\n").find((line) => line.startsWith("data: "));
        last = part.split("\n").find((line) => line.startsWith("id: "))?.slice(4) ?? last;
        if (data) hear(JSON.parse(data.slice(6)));
      }
    }
  };
  const always = async () => {
    for (let wait = 500; !stop.signal.aborted; wait = Math.min(wait * 1.6, 8000)) {
      const begun = Date.now();
      offline = new AbortController();
      try {
        await once(AbortSignal.any([stop.signal, offline.signal]));
      } catch (error) {
        if (stop.signal.aborted) return;
        const status = /** @type {any} */ (error).status;
        if ([401, 403, 404].includes(status)) return refused(/** @type {Error} */ (error));
      }
      clearTimeout(silent);
      if (stop.signal.aborted) return;
      connection(false);
      if (Date.now() - begun > 5000) wait = 500;
      await new Promise((go) => {
        setTimeout(go, wait);
        addEventListener("online", go, { once: true, signal: AbortSignal.timeout(wait) });
      });
    }
  };
  void always();
  return () => stop.abort();
}
