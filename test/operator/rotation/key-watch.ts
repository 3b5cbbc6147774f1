/** Holds every renewal of a key in Azure against what is published at that very moment. */
import { armKinds } from '../../../runtime/api/kinds.ts';
import type { ArmKind } from '../../../runtime/api/types.ts';
import { valueAt } from '../../../runtime/arm-kinds/body/value-path.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import type { ActionContext, Behaviour } from '../../../sandbox/azure/arm/behaviour.ts';
import { Behaviours } from '../../../sandbox/azure/arm/behaviours/index.ts';
import type { Reply } from '../../../sandbox/azure/exchange.ts';

export interface Renewal {
  readonly id: string;
  /** Names of `secretSource.secrets` whose values died. */
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const lastOf = (path: string) => (path.split('/').at(-1) ?? '').toLowerCase();

export class KeyWatch {
  /** What must never be: a key that died although somebody could have had it from a Secret. */
  readonly violations: string[] = [];
  readonly renewals: Renewal[] = [];
  readonly #overlapMs: number;
  /** Published values, with the time since when they are not published any more. */
  readonly #published = new Map<string, number>();
  readonly #secrets = new Map<string, readonly string[]>();

  constructor(overlapMs: number) {
    this.#overlapMs = overlapMs;
  }

  /** Rows for the sandbox that tell of every renewal. */
  readonly behaviours: readonly Behaviour[] = armKinds.flatMap(({ arm }): Behaviour[] => {
    const built = new Behaviours().of(arm.armType);
    const name = lastOf(arm.keyRotation?.action.path ?? '');
    const { actions = {}, longActions = {} } = built;
    const [action, long] = [actions[name], longActions[name]];
    const watched = <T>(context: ActionContext, run: () => T) => this.#renewed(arm, actions, context, run);
    if (action) {
      return [{ ...built, actions: { ...actions, [name]: (context) => watched(context, () => action(context)) } }];
    }
    if (!long) return [];
    const end = (context: ActionContext) => watched(context, () => long.end(context));
    return [{ ...built, longActions: { ...longActions, [name]: { ...long, end } } }];
  });

  /** A client whose writes of Secrets are seen the moment they are done. */
  readonly wrap = (client: KubeClient): KubeClient =>
    new Proxy(client, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== 'function') return value;
        if (member !== 'create' && member !== 'patch') return value.bind(target) as unknown;
        return async (type: { kind: string }, ...rest: unknown[]) => {
          const written = (await value.call(target, type, ...rest)) as KubeObject;
          if (type.kind === 'Secret') this.wrote(written);
          return written;
        };
      },
    });

  wrote({ metadata, ...content }: KubeObject): void {
    const data = (content['data'] ?? {}) as Record<string, string>;
    const values = Object.values(data).map((value) => Buffer.from(value, 'base64').toString('utf8'));
    const gone = (this.#secrets.get(metadata.name) ?? []).filter((value) => !values.includes(value));
    this.#secrets.set(metadata.name, values);
    for (const value of gone) this.#published.set(value, Date.now());
    for (const value of values) this.#published.set(value, Number.POSITIVE_INFINITY);
  }

  #renewed<T>(arm: ArmKind, actions: Behaviour['actions'], context: ActionContext, run: () => T): T {
    const before = this.#values(arm, actions, context);
    const result = run();
    const after = this.#values(arm, actions, context);
    const names = Object.keys(before).filter((name) => before[name] !== after[name]);
    const values = names.map((name) => before[name] ?? '');
    this.renewals.push({ id: context.resource.id, names, values });
    for (const value of values) {
      const holders = [...this.#published].filter(([text]) => text.includes(value)).map(([, until]) => until);
      const until = Math.max(...holders, 0);
      const left = until - (Date.now() - this.#overlapMs);
      if (left > 0) this.violations.push(`${arm.armType} ${names} died ${left} ms before its consumers could know`);
    }
    return result;
  }

  #values(arm: ArmKind, actions: Behaviour['actions'], context: ActionContext): Record<string, string> {
    const { action, secrets = {} } = arm.secretSource ?? {};
    const list = actions?.[lastOf(action?.path ?? '')];
    const { body } = (list?.(context) ?? {}) as Partial<Reply>;
    const read = Object.entries(secrets).filter(([, { from }]) => from === 'action');
    return Object.fromEntries(read.map(([name, { path = '' }]) => [name, String(valueAt(body, path))]));
  }
}
