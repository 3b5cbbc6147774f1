import type { Clock } from '../../runtime/base/clock.ts';
import { type FakeAnswer, FakeAzure, type SeenRequest } from '../fakes/azure-server.ts';
import {
  bodyBefore,
  cameToNothing,
  dropEarlier,
  endsWithParent,
  isExport,
  isPutOf,
  type Phase,
  phasesOf,
  refusal,
  type Timeline,
} from './phases.ts';
import {
  ended,
  headerOf,
  type Interaction,
  isUnderWay,
  next,
  pathOf,
  pollUrls,
  type Recording,
  readsResource,
  urlKey,
} from './recording.ts';

interface Resource extends Timeline {
  /** Of the phase that the last accepted write belongs to; -1 before the first. */
  at: number;
  /** Answers given, by phase. */
  readonly given: number[];
  /** It, or what it lies in, was deleted. */
  gone: boolean;
}

const missing: FakeAnswer = {
  status: 404,
  body: { error: { code: 'ResourceNotFound', message: 'The Resource was not found.' } },
};

/**
 * Serves a recording as Resource Manager. Polls, actions and look-ups are one queue per (method, url), popped in order;
 * the last answer of a GET stays. A resource's own GETs are answered as of the write it has seen last, so that a client
 * may read at any time and never sees what is yet to come. Everything else that was not recorded is kept in
 * `unexpected`, a wait that was cut short in `early`.
 */
export class ReplayServer implements AsyncDisposable {
  readonly unexpected: string[] = [];
  readonly early: string[] = [];
  /** Waits that were asked for and kept. */
  waitsKept = 0;
  #fake: FakeAzure | undefined;
  readonly #clock: Clock;
  readonly #interactions: readonly Interaction[];
  readonly #resources = new Map<string, Resource>();
  readonly #queues = new Map<string, Interaction[]>();
  /** Where an operation goes on whose recorded client stopped to poll it after a failure. */
  readonly #continued = new Map<string, string>();
  /** Accepted PUTs that the recorded client sent again, and where it saw the reason. */
  readonly #cameToNothing = new Map<Interaction, 'operation' | 'resource'>();
  readonly #dueAt = new Map<string, number>();
  /** Where operations show their state. */
  readonly #polls: ReadonlySet<string>;

  private constructor(recording: Recording, clock: Clock) {
    this.#clock = clock;
    this.#interactions = recording.interactions;
    this.#polls = new Set(recording.interactions.flatMap(pollUrls));
    const { timelines, rest } = phasesOf(recording);
    for (const [path, timeline] of timelines) {
      this.#resources.set(path, { ...timeline, at: -1, given: timeline.phases.map(() => 0), gone: false });
    }
    for (const interaction of rest) {
      const key = `${interaction.method} ${urlKey(interaction.url)}`;
      this.#queues.set(key, [...(this.#queues.get(key) ?? []), interaction]);
    }
    for (const phase of [...timelines.values()].flatMap(({ phases }) => phases)) {
      this.#continueOperations(phase);
      for (const answer of phase.answers) {
        const how = cameToNothing(phase, answer, recording.interactions);
        if (how) this.#cameToNothing.set(answer, how);
      }
    }
  }

  static async start(recording: Recording, clock: Clock): Promise<ReplayServer> {
    const server = new ReplayServer(recording, clock);
    server.#fake = await FakeAzure.start((request) => server.#answer(request));
    return server;
  }

  get fake(): FakeAzure {
    if (!this.#fake) throw new Error('The replay server has not been started');
    return this.#fake;
  }

  /** Phases that no request belonged to, except deletions of what had gone with its parent. */
  missed(): string[] {
    return [...this.#resources.values()].flatMap(({ phases, given }) =>
      phases
        .filter((phase, index) => given[index] === 0 && !(phase.method === 'DELETE' && endsWithParent(phase)))
        .map(({ method, id }) => `${method} ${id}`),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake?.[Symbol.asyncDispose]();
  }

  #answer({ method, url, body }: SeenRequest): FakeAnswer {
    this.#checkWait(`${method} ${urlKey(url)}`);
    const resource = this.#resources.get(pathOf(url));
    const sent: unknown = body === '' ? undefined : JSON.parse(body);
    if (resource && method === 'GET' && readsResource(url)) return this.#read(resource);
    // Asked before the PUT and after the DELETE too, where the recorded client did not ask.
    if (resource && method === 'HEAD' && !isThere(resource)) return missing;
    const found =
      resource && method === 'PUT'
        ? this.#put(resource, sent)
        : resource && method === 'DELETE'
          ? this.#delete(resource, pathOf(url))
          : this.#pop(method, url);
    if (!found) {
      this.unexpected.push([`${method} ${url}`, body].filter(Boolean).join(' '));
      return { status: 400, body: { error: { code: 'NotRecorded', message: `Not recorded: ${method} ${url}` } } };
    }
    return 'url' in found ? this.#replay(found, `${method} ${urlKey(url)}`) : found;
  }

  #put(resource: Resource, body: unknown): Interaction | undefined {
    const { phases, given } = resource;
    const from = Math.max(0, resource.at);
    const index = phases.findIndex((_, at) => at >= from && isPutOf(phases, at, body));
    const phase = phases[index];
    if (!phase) return undefined;
    const count = given[index] ?? 0;
    const before = phase.answers[count - 1];
    // What was accepted needs no second PUT, unless it came to nothing; what was refused may be sent again and again.
    const isDone = before && before.status < 300 && !this.#cameToNothing.has(before);
    if (isDone && !refusal(phase, this.#interactions)) return undefined;
    given[index] = count + 1;
    resource.at = index;
    resource.gone = false;
    const answer = phase.answers[count];
    if (answer) dropEarlier(phase.gets, answer, this.#interactions);
    return answer ?? before;
  }

  #delete(resource: Resource, path: string): Interaction | FakeAnswer | undefined {
    const { phases, given } = resource;
    const index = phases.findIndex((phase, at) => at >= resource.at && phase.method === 'DELETE');
    const phase = phases[index];
    if (!phase) return resource.gone ? missing : undefined;
    const count = given[index] ?? 0;
    const before = phase.answers[count - 1];
    // A kind may take two deletions, such as that of a Product with its subscriptions before its own.
    if (before && before.status < 300 && !phase.answers[count]) return undefined;
    given[index] = count + 1;
    resource.at = index;
    const answer = phase.answers[count] ?? before;
    if (answer && (answer.status < 300 || answer.status === 404)) {
      for (const [other, state] of this.#resources) if (`${other}/`.startsWith(`${path}/`)) state.gone = true;
    }
    return answer;
  }

  #read(resource: Resource): FakeAnswer {
    const { phases, before, gone, at, given } = resource;
    const phase = phases[at];
    if (gone || phase?.method === 'DELETE') {
      const get = phase?.method === 'DELETE' ? next(phase.gets) : undefined;
      return get && get.status === 404 ? { status: 404, body: get.responseBody } : missing;
    }
    if (!phase) return asRecorded(next(before)) ?? missing;
    const last = phase.answers[(given[at] ?? 0) - 1];
    const isRefused = !phase.answers.some(({ status }) => status < 300);
    if (isRefused || (last && this.#cameToNothing.get(last) === 'operation')) {
      const earlier = bodyBefore(phases, at);
      return earlier === undefined ? missing : { status: 200, body: earlier };
    }
    const accepted = phase.answers.findLast(({ status, responseBody }) => status < 300 && responseBody);
    return asRecorded(next(phase.gets)) ?? { status: 200, body: accepted?.responseBody };
  }

  #pop(method: string, url: string): Interaction | undefined {
    const key = `${method} ${urlKey(url)}`;
    const queue = this.#queues.get(key);
    // The recorded client may have declared its exports later than the manifest that is made from all its requests.
    const isRead = method === 'HEAD' || (method === 'POST' && isExport(pathOf(url)));
    if (queue && isRead) return next(queue);
    const action = method === 'GET' ? undefined : queue?.shift();
    if (action) this.#dropBefore(action);
    if (method !== 'GET') return action;
    // The recorded test ended before the operation did.
    const isPoll = this.#polls.has(urlKey(url));
    if (!queue) return isPoll ? ended(url) : undefined;
    const [first] = queue;
    if (!first || queue.length > 1) return queue.shift();
    const onward = this.#continued.get(key);
    this.#continued.delete(key);
    if (onward !== undefined) this.#queues.set(key, this.#queues.get(onward) ?? queue);
    else if (isPoll && isUnderWay(first)) this.#queues.set(key, [ended(url)]);
    return first;
  }

  /** An action changes what its resource shows. */
  #dropBefore(action: Interaction): void {
    const resource = this.#resources.get(pathOf(action.url).replace(/\/[^/]*$/, ''));
    const phase = resource?.phases[resource.at];
    if (phase) dropEarlier(phase.gets, action, this.#interactions);
  }

  #continueOperations({ answers }: Phase): void {
    for (const [index, answer] of answers.entries()) {
      const following = answers[index + 1];
      const [from] = pollUrls(answer).map((key) => `GET ${key}`);
      const [to] = following ? pollUrls(following).map((key) => `GET ${key}`) : [];
      const last = from === undefined ? undefined : this.#queues.get(from)?.at(-1);
      if (from && to && last && (last.status >= 500 || last.status === 429)) this.#continued.set(from, to);
    }
  }

  #replay(interaction: Interaction, key: string): FakeAnswer {
    const { status, responseBody, responseHeaders = {} } = interaction;
    const seconds = Number(headerOf(interaction, 'retry-after'));
    if (seconds > 0) {
      const polls = pollUrls(interaction).map((poll) => `GET ${poll}`);
      const again = key.startsWith('GET') || status >= 300 ? [key] : [];
      for (const each of [...again, ...polls]) this.#dueAt.set(each, this.#clock.now() + 1000 * seconds);
    }
    const headers = Object.fromEntries(
      Object.entries(responseHeaders).map(([name, value]) => [
        name,
        value.replace('https://management.azure.com', this.fake.url),
      ]),
    );
    return { status, headers, ...(responseBody !== null && { body: responseBody }) };
  }

  #checkWait(key: string): void {
    const dueAt = this.#dueAt.get(key);
    if (dueAt === undefined) return;
    this.#dueAt.delete(key);
    const leftMs = dueAt - this.#clock.now();
    if (leftMs > 0) this.early.push(`${key} came ${Math.round(leftMs)} ms early`);
    else this.waitsKept++;
  }
}

const isThere = ({ gone, at, phases }: Resource): boolean => !gone && phases[at]?.method === 'PUT';

function asRecorded(interaction: Interaction | undefined): FakeAnswer | undefined {
  return interaction && { status: interaction.status, body: interaction.responseBody };
}
