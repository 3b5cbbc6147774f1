import { resourceIn, resourceProblem } from '../../azure/arm/answers.ts';
import { ArmError, armErrorInfo, stripVolatile } from '../../azure/arm/errors.ts';
import { isGone } from '../../azure/arm/not-found.ts';
import { provisioningState, terminalStateOf } from '../../azure/arm/operations/provisioning-state.ts';
import type { AccessToken, ArmClient, ArmErrorInfo, Authorizer, Operation } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import {
  batches,
  clientIdsOf,
  effective,
  emptyIdsOf,
  type IdentityChanges,
  identitiesNamedIn,
  identityPatch,
  type MachineIdentity,
  machineIdentityOf,
} from './machine-identity.ts';

/** Version of Microsoft.Compute; the oldest that AAD Pod Identity used, so that private clouds have it too. */
export const computeApiVersion = '2019-12-01';

/** A machine as read from ARM. */
export interface MachineState extends MachineIdentity {
  readonly region: string;
  /** Whether an operation is in progress, of this program or of another. */
  readonly busy: boolean;
  /** Client id by identity as of the last read; identities attached since then are missing. */
  readonly clientIds: ReadonlyMap<string, string>;
  /** Identities whose entry had no client id at the last read, and was not changed since. */
  readonly emptyIds: ReadonlySet<string>;
}

/** Dependencies of the machine writer. */
export interface MachineWriterDeps {
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** Called for every request: `vm_get`, `vmss_update` and so on, with its time in seconds and whether it failed. */
  readonly observe: (operation: string, seconds: number, failed: boolean) => void;
}

/** The result of `apply`. */
export interface ApplyResult {
  readonly after: MachineState;
  /** Identities that ARM refused to attach or detach, with its error. */
  readonly refused: ReadonlyMap<string, ArmErrorInfo>;
}

/** Most splits of one `apply` while it isolates the identities that ARM refuses. */
const splitLimit = 24;

/** Reads and changes the identities of virtual machines and scale sets. One call at a time for each machine. */
export class MachineWriter {
  readonly #deps: MachineWriterDeps;

  constructor(deps: MachineWriterDeps) {
    this.#deps = deps;
  }

  /** Reads a machine. Undefined when it does not exist or is being deleted. Throws ARM's errors. */
  async read(machine: string, region: string, signal: AbortSignal): Promise<MachineState | undefined> {
    const { arm, authorizer } = this.#deps;
    try {
      const response = await this.#observed(machine, 'get', () =>
        arm.send({ method: 'GET', path: machine, apiVersion: computeApiVersion, authorizer, region, signal }),
      );
      return stateOfBody(resourceIn(response, machine));
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /**
   * Applies the changes in batches and waits for the operation of each. When ARM refuses identities of a batch,
   * removes them by their names in the answer, or by halving the batch, and applies the rest. Throws transient
   * errors, and those of the whole machine. `stop` ends the wait for an operation, never a write.
   */
  async apply(
    machine: string,
    before: MachineState,
    changes: IdentityChanges,
    signals: { readonly stop: AbortSignal; readonly lost: AbortSignal },
  ): Promise<ApplyResult> {
    const refused = new Map<string, ArmErrorInfo>();
    let state = before;
    let splits = 0;
    const pending = batches(effective(before, changes));
    for (let batch = pending.shift(); batch; batch = pending.shift()) {
      const patch = identityPatch(state, batch);
      if (!patch) continue;
      signals.stop.throwIfAborted();
      try {
        const written = await this.#write(machine, state.region, patch.body, signals);
        const isMachine = isObject(written) && resourceProblem(written, machine) === undefined;
        state = isMachine ? { ...state, ...machineIdentityOf(written) } : { ...state, ...patch.after };
      } catch (error) {
        const info = errorInfoOf(error);
        if (!info || !concernsIdentities(info)) throw error;
        const [bad, rest] = split(batch, info);
        splits++;
        if (bad.size === 1 || splits >= splitLimit) for (const id of bad.keys()) refused.set(id, info);
        else pending.unshift(...halves(bad));
        if (rest.size > 0) pending.unshift(rest);
        // A failed operation may have changed some identities.
        const now = await this.read(machine, state.region, signals.lost);
        if (!now) throw error;
        state = now;
      }
    }
    const emptyIds = new Set([...state.emptyIds].filter((id) => !changes.has(id) || refused.has(id)));
    return { after: { ...state, busy: false, emptyIds }, refused };
  }

  /**
   * Sends one PATCH and waits for its operation. Returns the resource's new body where ARM has it without another
   * GET; with a status URL it has none, so that pods wait no longer than needed.
   */
  async #write(
    machine: string,
    region: string,
    body: object,
    { stop, lost }: { readonly stop: AbortSignal; readonly lost: AbortSignal },
  ): Promise<unknown> {
    const { arm, authorizer } = this.#deps;
    const request = {
      method: 'PATCH',
      path: machine,
      apiVersion: computeApiVersion,
      body,
      authorizer,
      region,
    } as const;
    return this.#observed(machine, 'update', async () => {
      // `stop` does not end the wait for the answer: only the answer names the operation.
      const response = await arm.send({ ...request, signal: lost });
      const operation = arm.operationOf(request, response);
      if (!operation) return response.body;
      const { finalPath: _, ...withoutFinalGet } = operation;
      const followed = operation.kind === 'status' ? withoutFinalGet : operation;
      return this.#finish(machine, followed, response.token, AbortSignal.any([stop, lost]));
    });
  }

  async #finish(
    machine: string,
    started: Operation,
    writeToken: AccessToken | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { arm, authorizer, clock } = this.#deps;
    let operation = started;
    let token = writeToken;
    for (;;) {
      await clock.sleep(Math.max(0, operation.nextPollAt - clock.now()), signal);
      const result = await arm.poll(operation, { authorizer, signal, ...(token && { token }) });
      token = result.token;
      if (!result.done) operation = result.operation;
      else if (result.outcome === 'succeeded') return result.body;
      else throw new ArmError('PATCH', machine, result.error);
    }
  }

  async #observed<T>(machine: string, verb: string, send: () => Promise<T>): Promise<T> {
    const { clock, observe } = this.#deps;
    const operation = `${/\/virtualmachinescalesets\//i.test(machine) ? 'vmss' : 'vm'}_${verb}`;
    const started = clock.monotonic();
    let failed = true;
    try {
      const result = await send();
      failed = false;
      return result;
    } finally {
      observe(operation, (clock.monotonic() - started) / 1000, failed);
    }
  }
}

function stateOfBody(body: unknown): MachineState | undefined {
  const word = provisioningState(body) ?? 'Succeeded';
  if (word.toLowerCase() === 'deleting') return undefined;
  const { location } = (body ?? {}) as { location?: unknown };
  const region = typeof location === 'string' ? location.toLowerCase().replaceAll(' ', '') : '';
  return {
    ...machineIdentityOf(body),
    region,
    busy: terminalStateOf(word) === undefined,
    clientIds: clientIdsOf(body),
    emptyIds: emptyIdsOf(body),
  };
}

function errorInfoOf(error: unknown): ArmErrorInfo | undefined {
  return error instanceof ArmError ? error.info : undefined;
}

/** Whether ARM refused identities of the body, rather than the machine, a limit, or a transient state. */
function concernsIdentities(info: ArmErrorInfo): boolean {
  const codes = [info.topLevelCode ?? '', info.code, ...info.details.map(({ code }) => code)];
  if (codes.some((code) => /^(LinkedAuthorizationFailed|FailedIdentityOperation)$/i.test(code))) return true;
  // A failed operation has status 200.
  const transient = [408, 409, 412, 429].includes(info.status) || info.status >= 500 || info.retryAfterMs !== undefined;
  const transientCode =
    /InProgress|Preempted|Conflict|OperationLost|Canceled|Cancelled|Timeout|Throttl|TooManyRequests|InternalServer/i;
  const machineCode =
    /^(AuthorizationFailed|ResourceNotFound|ResourceGroupNotFound|SubscriptionNotFound|ScopeLocked|ReadOnlyDisabledSubscription|InvalidAuthenticationToken.*|ExpiredAuthenticationToken|OperationNotAllowed)$/i;
  return !transient && !codes.some((code) => transientCode.test(code) || machineCode.test(code));
}

/**
 * Splits a batch into the identities that the answer names and the others; the whole batch where it names none or
 * all.
 */
function split(batch: Map<string, boolean>, info: ArmErrorInfo): [Map<string, boolean>, Map<string, boolean>] {
  const text = [info.message, ...info.details.map(({ message }) => message)].join('\n');
  const named = new Set(identitiesNamedIn(text).filter((id) => batch.has(id)));
  if (named.size === 0 || named.size === batch.size) return [batch, new Map()];
  return [new Map([...batch].filter(([id]) => named.has(id))), new Map([...batch].filter(([id]) => !named.has(id)))];
}

function halves(batch: Map<string, boolean>): Map<string, boolean>[] {
  const all = [...batch];
  const middle = Math.ceil(all.length / 2);
  return [new Map(all.slice(0, middle)), new Map(all.slice(middle))];
}

/** An ARM error for a machine that does not exist, for the assignments on it. */
export function machineNotFound(machine: string): ArmErrorInfo {
  const message = `The machine ${machine} does not exist, or is being deleted`;
  return armErrorInfo({ status: 404, body: { error: { code: 'ResourceNotFound', message } } });
}

/** An ARM error for a change that ARM accepted and did not make, such as one that an Azure policy reverts. */
export function notMade(machine: string): ArmErrorInfo {
  const message = `Azure accepted a change of ${machine} and did not make it; check whether an Azure policy reverts it`;
  return armErrorInfo({ status: 409, body: { error: { code: 'ChangeNotMade', message } } });
}

/** The reason of a refusal for the identity's namespace: without ARM's text where that names other identities. */
export function refusalText(identity: string, { code, message }: Pick<ArmErrorInfo, 'code' | 'message'>): string {
  const names = identitiesNamedIn(message);
  if (names.every((name) => name === identity)) return `${code}: ${stripVolatile(message)}`;
  return `${code}: Azure refused a change of several identities at once; the controller's log has its answer`;
}

/** Whether a retry needs a fix first, such as a role for the controller's identity. */
export function isLasting(error: unknown): boolean {
  if (error instanceof ArmError) return error.info.status === 403 || error.info.retryClass === 'none';
  return error instanceof AzimuthError && (error.code === 'AZ_AUTH_FAILED' || error.code === 'AZ_CONFIG_INVALID');
}
