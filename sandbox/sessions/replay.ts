import { isObject } from '../../runtime/base/json.ts';
import { type DefaultValue, defaultsOf, membersOf, shapeOf } from './comparison.ts';
import { isException } from './exceptions.ts';
import { type Subject, subjectOf } from './groups.ts';
import type { Answer, Player } from './player.ts';
import { isWrite, type RecordedRequest, requestsToSend, type Session } from './session.ts';
import { Translation } from './translation.ts';

/** One counted request: what Azure answered, and what the sandbox. */
export interface Outcome {
  readonly session: string;
  readonly subject: Subject;
  readonly request: RecordedRequest;
  readonly answer: Answer;
  /** Azure's and the sandbox's, where both accept a write. */
  readonly shapes: readonly [string, string] | undefined;
  /** Azure's and the sandbox's, where both refuse. */
  readonly codes: readonly [string, string] | undefined;
  /** Members of Azure's answer, and those that the sandbox's lacks; empty unless both accept. */
  readonly members: number;
  readonly missing: readonly string[];
  readonly defaults: readonly DefaultValue[];
  readonly etags: readonly [boolean, boolean];
  /** The api-version was refused, and the newest one taken. */
  readonly newerVersion: boolean;
}

/** Whether both statuses have the same hundred. */
export const sameClass = ({ request, answer }: Outcome) =>
  Math.floor(request.status / 100) === Math.floor(answer.status / 100);

const ok = (status: number) => status >= 200 && status < 300;
const codeOf = (body: unknown) => {
  const error = isObject(body) ? (body['error'] ?? body) : undefined;
  return String((isObject(error) && error['code']) || '').toLowerCase();
};

/** Replays a session on the empty sandbox. */
export async function replaySession(session: Session, player: Player): Promise<Outcome[]> {
  await player.reset();
  const { subscriptionId, tenantId } = player.azure;
  const replay = new Replay(session.name, player, new Translation(subscriptionId, tenantId));
  for (const request of requestsToSend(session)) await replay.step(request);
  return replay.outcomes;
}

class Replay {
  readonly outcomes: Outcome[] = [];
  readonly #session: string;
  readonly #player: Player;
  readonly #translation: Translation;
  readonly #groups = new Set<string>();
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Members that requests had, by resource. */
  readonly #requested = new Map<string, Set<string>>();

  constructor(session: string, player: Player, translation: Translation) {
    this.#session = session;
    this.#player = player;
    this.#translation = translation;
  }

  async step(recorded: RecordedRequest): Promise<void> {
    const subject = subjectOf(recorded.method, recorded.path);
    this.#note(recorded, subject);
    const counts = this.#counts(recorded, subject);
    const request = this.#withCaller(recorded);
    let answer = await this.#player.play(request, this.#translation);
    const newest = newestVersion(answer.body);
    if (newest !== undefined) answer = await this.#player.play(request, this.#translation, newest);
    this.#translation.learn(recorded.answer, answer.body);
    this.#translation.learn({ etag: recorded.headers?.['etag'] }, { etag: answer.headers['etag'] });
    if (counts && !isException(recorded, codeOf(answer.body)))
      this.outcomes.push(this.#outcome(recorded, subject, answer, newest !== undefined));
  }

  #note({ method, body, status }: RecordedRequest, { id, resourceGroup, single }: Subject): void {
    if (method === 'PUT' && single && ok(status)) {
      this.#deleted.delete(id);
      this.#created.add(id);
      const isGroup = resourceGroup !== undefined && id.endsWith(`/resourcegroups/${resourceGroup.toLowerCase()}`);
      if (isGroup) this.#groups.add(resourceGroup.toLowerCase());
    }
    if (method !== 'PUT' && method !== 'PATCH') return;
    const members = membersOf(body, '', this.#requested.get(id));
    this.#requested.set(id, members);
  }

  /** Whether the rules count the request: it is about what the session made, and Azure was not busy. */
  #counts({ method, status }: RecordedRequest, { id, resourceGroup, single }: Subject): boolean {
    if (status === 401 || status === 429 || status >= 500) return false;
    if (resourceGroup !== undefined && !this.#groups.has(resourceGroup.toLowerCase())) return false;
    if (method === 'DELETE') {
      const again = this.#deleted.has(id);
      this.#deleted.add(id);
      return !again;
    }
    if (!single || !ok(status) || resourceGroup === undefined) return true;
    return [...this.#created].some((made) => id === made || id.startsWith(`${made}/`));
  }

  /** A role for a principal that no answer gave goes to the caller. */
  #withCaller(request: RecordedRequest): RecordedRequest {
    const properties = isObject(request.body) ? request.body['properties'] : undefined;
    if (!/roleAssignments/i.test(request.path) || !isObject(properties)) return request;
    const principalId = String(properties['principalId'] ?? '');
    if (principalId === '' || this.#translation.has(principalId)) return request;
    const caller = this.#player.azure.defaultApp.objectId;
    return { ...request, body: { properties: { ...properties, principalId: caller } } };
  }

  #outcome(request: RecordedRequest, subject: Subject, answer: Answer, newerVersion: boolean): Outcome {
    const both = ok(request.status) && ok(answer.status);
    const azure = request.answer;
    const members = both ? membersOf(azure) : new Set<string>();
    const here = membersOf(answer.body);
    const requested = this.#requested.get(subject.id);
    const isResource = both && request.method === 'GET' && subject.single && requested !== undefined;
    return {
      session: this.#session,
      subject,
      request,
      answer,
      newerVersion,
      shapes:
        both && isWrite(request.method)
          ? [shapeOf(request.status, request.headers ?? {}, azure), shapeOf(answer.status, answer.headers, answer.body)]
          : undefined,
      codes: request.status >= 400 && answer.status >= 400 ? [codeOf(azure), codeOf(answer.body)] : undefined,
      members: members.size,
      missing: [...members].filter((member) => !here.has(member)),
      defaults: isResource ? defaultsOf(azure, answer.body, requested) : [],
      etags: [request.headers?.['etag'] !== undefined, answer.headers['etag'] !== undefined],
    };
  }
}

/** The newest api-version that a refusal of another one names. */
function newestVersion(body: unknown): string | undefined {
  if (codeOf(body) !== 'noregisteredproviderfound') return undefined;
  const versions = JSON.stringify(body).match(/\d{4}-\d{2}-\d{2}(?!-)/g) ?? [];
  return versions.sort().at(-1);
}
