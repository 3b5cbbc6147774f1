import { AzimuthError } from '../../base/errors.ts';
import { getPath } from '../values/json-object.ts';
import type { KindExtension } from './extension.ts';

/** The path of a state in the ARM body, and the states in which Azure accepts a change. */
export interface Rest {
  readonly path: string;
  readonly states: readonly string[];
  /** The states are those in which Azure accepts none. */
  readonly not?: boolean;
}

/** The resources whose operations the operator waits for before it sends a request. */
export interface WaitOptions {
  readonly resource?: Rest;
  /** The state of the resource's parent. */
  readonly owner?: Rest;
}

/**
 * Milliseconds. The end of the operator's own operation enqueues its dependents; this wait is for operations of
 * others.
 */
const pollAgainMs = 30_000;

/** Delays a PUT while Azure is changing the resource or its owner, where the provider would refuse or cancel. */
export function waitForTerminalState({ resource: own, owner }: WaitOptions): KindExtension {
  return {
    beforePut: async (_object, body, { resourceId, apiVersion, tryGetAndWatch }) => {
      const check = async (id: string, { path, states, not = false }: Rest) => {
        const state = getPath(await tryGetAndWatch(id, apiVersion), path);
        if (typeof state !== 'string' || states.includes(state.toLowerCase()) !== not) return;
        const text = `${id} is in the state ${state}, in which Azure takes no change`;
        throw new AzimuthError('AZ_ARM_BUSY', text, { retryAfterMs: pollAgainMs });
      };
      if (owner) await check(resourceId.split('/').slice(0, -2).join('/'), owner);
      if (own) await check(resourceId, own);
      return body;
    },
  };
}
