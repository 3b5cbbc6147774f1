import type { Refusal, Reply } from '../exchange.ts';
import { refuse } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { SandboxState, StoredOperation } from '../state.ts';

/** .NET ticks, as the `t` parameter of poll URLs has them. */
const ticks = (ms: number) => (BigInt(Math.round(ms)) * 10_000n + 621_355_968_000_000_000n).toString();

/** The parts of a poll URL. */
export interface PollUrl {
  readonly origin: string;
  readonly subscriptionId: string;
  readonly namespace: string;
  readonly segment: string;
  readonly query?: string;
}

/**
 * Long-running operations. Nothing runs in the background: an operation has a time at which it is ready, and every
 * request first settles those whose time has come. A restart or a manual clock therefore changes nothing.
 */
export class Operations {
  readonly #state: SandboxState;
  readonly #ids: Ids;
  readonly #settled: (operation: StoredOperation) => void;

  constructor(state: SandboxState, ids: Ids, settled: (operation: StoredOperation) => void) {
    this.#state = state;
    this.#ids = ids;
    this.#settled = settled;
  }

  start(operation: Omit<StoredOperation, 'id' | 'state'>): StoredOperation {
    const id = this.#ids.uuid();
    const stored: StoredOperation = { ...operation, id, state: 'running' };
    this.#state.operations[id] = stored;
    return stored;
  }

  /** Ends every operation whose time has come, oldest first, and forgets those that ended a day ago. */
  settle(now: number): boolean {
    const due = Object.values(this.#state.operations)
      .filter((operation) => operation.state === 'running' && operation.readyAt <= now)
      .sort((a, b) => a.readyAt - b.readyAt);
    for (const operation of due) {
      operation.state = operation.failure?.state ?? 'succeeded';
      operation.endedAt = operation.readyAt;
      this.#settled(operation);
    }
    for (const [id, operation] of Object.entries(this.#state.operations)) {
      if (operation.endedAt !== undefined && operation.endedAt < now - 86_400_000) delete this.#state.operations[id];
    }
    return due.length > 0;
  }

  find(id: string): StoredOperation | undefined {
    return this.#state.operations[id];
  }

  /** The URL a client polls; it changes with every answer, as Azure's do. */
  url(operation: StoredOperation, at: PollUrl, now: number): string {
    const query = [at.query, `api-version=${operation.apiVersion}`, `t=${ticks(now)}`].filter(Boolean).join('&');
    const scope = `${at.origin}/subscriptions/${at.subscriptionId}`;
    return at.namespace === ''
      ? `${scope}/${at.segment}/${operation.id}?${query}`
      : `${scope}/providers/${at.namespace}/locations/${operation.location}/${at.segment}/${operation.id}?${query}`;
  }

  /** The document behind Azure-AsyncOperation. */
  status(operation: StoredOperation, path: string): Reply {
    const running = operation.state === 'running';
    const words = { running: operation.runningWord, succeeded: 'Succeeded', failed: 'Failed', canceled: 'Canceled' };
    const error = operation.failure && !running ? { error: errorOf(operation) } : {};
    const status = words[operation.state];
    return {
      status: 200,
      headers: running ? retryAfter(operation) : {},
      body: operation.minimalStatus
        ? { status, ...error }
        : {
            id: path,
            name: operation.id,
            status,
            startTime: new Date(operation.startedAt).toISOString(),
            ...(operation.endedAt === undefined ? {} : { endTime: new Date(operation.endedAt).toISOString() }),
            ...error,
          },
    };
  }

  /** The answer behind a Location; `final` gives the body after the operation, unless it has a result. */
  location(operation: StoredOperation, nextUrl: string, final: () => unknown): Reply {
    if (operation.state === 'running') {
      return { status: 202, headers: { location: nextUrl, ...retryAfter(operation) } };
    }
    if (operation.failure) throw failed(operation);
    if (operation.kind === 'delete') return { status: operation.deletedStatus ?? 200 };
    return { status: 200, body: operation.result ?? final() };
  }
}

/** The Retry-After header of an operation's answers, in seconds; none where the operation has none. */
export const retryAfter = (operation: StoredOperation): Record<string, string> =>
  operation.retryAfterSeconds === undefined ? {} : { 'retry-after': String(operation.retryAfterSeconds) };

const errorOf = (operation: StoredOperation) => ({
  code: operation.failure?.code ?? 'InternalServerError',
  message: operation.failure?.message ?? 'The operation failed.',
});

function failed(operation: StoredOperation): Refusal {
  const { code, message } = errorOf(operation);
  return refuse(operation.failure?.status ?? 409, code, message);
}
