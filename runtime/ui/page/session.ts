import type { StreamMessage } from '../messages.ts';
import { byId } from './dom.ts';
import type { Page } from './page.ts';
import { NeedsToken, readStream } from './stream.ts';

/** Key of the token of a local server in this tab, so that the page can be loaded again. */
const storageKey = 'azimuth-token';
/** Milliseconds before the stream is opened again. */
const againMs = { first: 1000, most: 15_000 } as const;

/** Keeps the stream open, and asks for a token where the server needs one. */
export class Session {
  readonly #page: Page;
  #token = '';
  #stop = new AbortController();

  constructor(page: Page) {
    this.#page = page;
  }

  start(): void {
    const given = /^#token=([\w-]{1,200})$/.exec(location.hash)?.[1];
    if (given !== undefined) {
      sessionStorage.setItem(storageKey, given);
      // The token must not stay in the address, which people copy.
      history.replaceState(null, '', location.pathname + location.search);
    }
    this.#token = sessionStorage.getItem(storageKey) ?? '';
    this.#page.onScope = () => this.#restart();
    this.#page.token = () => this.#token;
    byId<HTMLDialogElement>('sign-in').addEventListener('close', () => {
      const input = byId<HTMLInputElement>('token');
      this.#token = input.value.trim();
      input.value = '';
      this.#restart();
    });
    void this.#run(this.#stop.signal);
  }

  #restart(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    let delayMs: number = againMs.first;
    while (!signal.aborted) {
      try {
        let end: string | undefined;
        const take = (message: StreamMessage) => {
          if (signal.aborted) return;
          if (message.type === 'closed') throw new Error(message.message);
          if (message.type === 'end') end = message.message;
          delayMs = againMs.first;
          this.#page.take(message);
        };
        await readStream(this.#page.filters.scope, this.#token, signal, take);
        if (end !== undefined) throw new NeedsToken(end);
        if (!signal.aborted) this.#page.interrupted('The connection ended.');
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof NeedsToken) return this.#ask(error.message);
        this.#page.interrupted(error instanceof Error ? error.message : String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = Math.min(delayMs * 2, againMs.most);
    }
  }

  #ask(reason: string): void {
    sessionStorage.removeItem(storageKey);
    this.#page.interrupted(reason);
    byId('sign-in-reason').textContent = reason;
    byId<HTMLDialogElement>('sign-in').showModal();
  }
}
