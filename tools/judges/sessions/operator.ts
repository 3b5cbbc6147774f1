import { armBody } from '../../../runtime/arm-kinds/body/arm-body.ts';
import { comparedBody } from '../../../runtime/arm-kinds/body/compared-body.ts';
import { specOf } from '../../../runtime/arm-kinds/body/from-arm.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import {
  type Applied,
  bodyFingerprint,
  knownDifferenceOf,
} from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { isInProgress } from '../../../runtime/azure/arm/operations/provisioning-state.ts';
import { isObject, type JsonObject } from '../../../runtime/base/json.ts';
import { candidates } from '../../../runtime/compute/manifests/typed-spec.ts';
import { needsPut } from '../../../runtime/operator/effects/applied.ts';
import { mergePatch } from '../../../sandbox/json.ts';
import { subjectOf } from '../../../sandbox/sessions/groups.ts';
import { isWrite, type RecordedRequest, type Session } from '../../../sandbox/sessions/session.ts';
import { type Held, share } from './held.ts';

/** What the operator would do after a recorded PUT if a user had declared its body. */
export interface JudgedPut {
  readonly session: string;
  /** As the catalogue spells it. */
  readonly type: string;
  /** Paths of declared members that Azure showed otherwise in its first answer after the PUT. */
  readonly differences: readonly string[];
  /** Paths that the operator takes for a change in later answers, though nobody wrote: it would send a second PUT. */
  readonly again: readonly string[];
  /** Whether the operator saw that somebody else's write changed declared members; undefined without such a write. */
  readonly sawChange: boolean | undefined;
}

/** Figures of the judged PUTs: those sent once at most, and changes by others that the operator saw. */
export function operatorFigures(puts: readonly JudgedPut[]): Held {
  const changes = puts.filter(({ sawChange }) => sawChange !== undefined);
  return {
    once: share(puts.filter(({ again }) => again.length === 0).length, puts.length),
    changes: share(changes.filter(({ sawChange }) => sawChange).length, changes.length),
  };
}

/** The members that Azure never showed as declared, and what was sent again or missed, the most frequent first. */
export function operatorDifferences(puts: readonly JudgedPut[]): string[] {
  const lines = puts.flatMap(({ type, session, differences, again, sawChange }) => [
    ...differences.map((path) => `${type}: ${path}`),
    ...again.map((path) => `${type}: PUT AGAIN for ${path} (${session})`),
    ...(sawChange === false ? [`${type}: MISSED a change (${session})`] : []),
  ]);
  const counts = [...Map.groupBy(lines, (line) => line)].map(([line, { length }]) => ({ line, length }));
  return counts.sort((a, b) => b.length - a.length).map(({ line, length }) => `${String(length).padStart(5)}  ${line}`);
}

/** A PUT whose later answers are still to come. */
interface Declared {
  readonly id: string;
  readonly type: string;
  readonly sent: JsonObject;
  /** What the operator compares with Azure's answers. */
  readonly body: JsonObject;
  applied?: Applied;
  differences: readonly string[];
  again: readonly string[];
  /** Azure answered since somebody else's write. */
  isReadAgain?: boolean;
}

/** Judges the PUTs of a session to the catalogue's types that Azure showed afterwards. */
export function judgedPuts(session: Session): JudgedPut[] {
  const judge = new SessionJudge(session.name);
  for (const request of session.requests) judge.step(request);
  return judge.end();
}

class SessionJudge {
  readonly #session: string;
  readonly #judged: JudgedPut[] = [];
  readonly #declared = new Map<string, Declared>();
  /** Those that somebody else has changed since, while no answer has shown it: Azure may need a while. */
  readonly #changed = new Map<string, Declared>();

  constructor(session: string) {
    this.#session = session;
  }

  step(request: RecordedRequest): void {
    const { id, type, single } = subjectOf(request.method, request.path);
    if (request.poll || request.status >= 300) return;
    if (isWrite(request.method)) this.#write(request, id, type, single);
    else if (single && request.status === 200 && isObject(request.answer)) this.#read(request.answer, id);
  }

  end(): JudgedPut[] {
    for (const id of [...this.#declared.keys(), ...this.#changed.keys()]) this.#forget(id);
    return this.#judged;
  }

  #write(request: RecordedRequest, id: string, type: string, single: boolean): void {
    // A write to a part, or to the parent, may change what is shown.
    for (const other of [...this.#declared.keys(), ...this.#changed.keys()]) {
      if (other !== id && (other.startsWith(`${id}/`) || id.startsWith(`${other}/`))) this.#forget(other);
    }
    const before = this.#declared.get(id);
    const asked = single ? askedBy(request, before?.sent) : undefined;
    const isChanged = before?.applied !== undefined && asked !== undefined && isChange(before.body, asked);
    if (isChanged) this.#declared.delete(id);
    this.#forget(id);
    if (isChanged) this.#changed.set(id, before);
    const body = request.method === 'PUT' && single ? declaredBody(request, id, type) : undefined;
    if (body && asked) this.#declared.set(id, { id, type, sent: asked, body, differences: [], again: [] });
  }

  #read(live: JsonObject, id: string): void {
    if (isInProgress(live)) return;
    const changed = this.#changed.get(id);
    if (changed) changed.isReadAgain = true;
    if (changed && isPutNeeded(changed, live)) {
      this.#note(changed, true);
      this.#changed.delete(id);
    }
    const declared = this.#declared.get(id);
    if (!declared) return;
    const { body } = declared;
    if (!declared.applied) {
      declared.applied = { body: bodyFingerprint(body), inputs: '', knownDifference: knownDifferenceOf(body, live) };
      declared.differences = pathsOf(body, live);
    } else if (isPutNeeded(declared, live)) declared.again = pathsOf(body, live);
  }

  #forget(id: string): void {
    const [declared, changed] = [this.#declared.get(id), this.#changed.get(id)];
    if (changed) this.#note(changed, changed.isReadAgain ? false : undefined);
    if (declared) this.#note(declared);
    this.#declared.delete(id);
    this.#changed.delete(id);
  }

  #note({ type, applied, differences, again }: Declared, sawChange?: boolean): void {
    if (applied) this.#judged.push({ session: this.#session, type, differences, again, sawChange });
  }
}

const pathsOf = (body: JsonObject, live: JsonObject) => armDiff(body, live).map(({ path, kind }) => `${path} ${kind}`);

/** What a write asks for; a PATCH changes what was asked before. */
function askedBy({ method, body }: RecordedRequest, before: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  if (method === 'PUT') return body;
  return method === 'PATCH' && before ? (mergePatch(before, body) as JsonObject) : undefined;
}

/** Whether a write gives declared members another value. */
const isChange = (body: JsonObject, asked: JsonObject) => armDiff(body, asked).some(({ kind }) => kind === 'different');

function isPutNeeded({ body, applied }: Declared, live: JsonObject): boolean {
  const desired = { policy: 'manage', waits: [], body, inputsVersion: '', deletion: undefined } as const;
  return needsPut(desired, { live: { exists: true, body: live }, applied, now: 0 });
}

/** The body as the operator would compare it: the part of the request that the kind's spec can declare. */
function declaredBody({ body, query }: RecordedRequest, id: string, type: string): JsonObject | undefined {
  const apiVersion = new URLSearchParams(query).get('api-version') ?? '';
  const [candidate] = candidates({ id, type, apiVersion });
  if (!candidate || !isObject(body)) return undefined;
  const { arm } = candidate.definition;
  const { spec, inputs } = specOf(arm, candidate.version, body, { refer: (armId) => ({ armId }) });
  const declared = armBody(arm, candidate.version, spec, inputs);
  return comparedBody(catalogueModel(candidate.definition), declared, []);
}
