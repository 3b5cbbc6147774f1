import { type Exchange, jsonBody, type Reply, refuse } from '../../exchange.ts';
import { type RecordedAction, recordedAction } from '../answers/recorded-answers.ts';
import { recordedBody } from '../answers/recorded-members.ts';
import { actionStyle } from '../answers/styles.ts';
import type { ActionContext, LongAction } from '../behaviour.ts';
import { busy } from '../write-checks.ts';
import { setEffects } from './action-effects.ts';
import { missing, requireParents } from './preconditions.ts';
import type { ResourceOperations } from './resource-operations.ts';
import { parsePath, type ResourcePath } from './resource-path.ts';
import type { ResourceStore } from './resource-store.ts';

/** The POST actions on resources: those of their behaviours, and those that recordings or Azure's reference have. */
export class ResourceActions {
  readonly #store: ResourceStore;
  readonly #running: ResourceOperations;

  constructor(store: ResourceStore, running: ResourceOperations) {
    this.#store = store;
    this.#running = running;
  }

  /** Whether the last segment of the path is an action that the type answers at once. */
  has(path: ResourcePath): boolean {
    return (
      path.tail !== undefined && this.#store.behaviourOf(path.type).actions?.[path.tail.toLowerCase()] !== undefined
    );
  }

  /** The action that a POST names: `x/regenerateAdminKey/primary` is the action `regenerateadminkey/*` on x. */
  pathOf(path: ResourcePath): ResourcePath | undefined {
    const parent = path.parentId === undefined ? undefined : parsePath(path.parentId);
    for (const middle of parent ? [path.name, '*'] : []) {
      const tail = [path.types.at(-1), middle, path.tail].filter(Boolean).join('/');
      if (parent && this.#isAction(parent.type, tail)) return { ...parent, tail, argument: path.name };
    }
    return path.tail === undefined ? undefined : path;
  }

  #isAction(type: string, name: string): boolean {
    const { actions, longActions } = this.#store.behaviourOf(type);
    const key = name.toLowerCase();
    return (actions?.[key] ?? longActions?.[key] ?? recordedAction(type, key)) !== undefined;
  }

  act(path: ResourcePath, exchange: Exchange, apiVersion: string): Reply {
    requireParents(this.#store, this.#running.operations, path, 'action');
    const behaviour = this.#store.behaviourOf(path.type);
    const resource = this.#store.find(path.id) ?? this.#store.implied(path, behaviour);
    if (!resource) throw missing(path, behaviour);
    const name = path.tail?.toLowerCase() ?? '';
    const action = behaviour.actions?.[name];
    const long = behaviour.longActions?.[name];
    const recorded = recordedAction(path.type, name);
    if (!action && !long && !recorded) {
      throw refuse(
        404,
        'ResourceNotFound',
        `The action '${path.tail}' does not exist on resources of type '${path.type}'.`,
      );
    }
    const request = exchange.body.length === 0 ? {} : jsonBody(exchange);
    const changed = () => {
      exchange.entry.effective = true;
    };
    const context: ActionContext = { ...this.#store.context(), path, resource, request, changed };
    return action ? action(context) : this.#run(name, context, exchange, apiVersion, long, recorded);
  }

  /** An action that runs as an operation, or whose answer is data. */
  #run(
    name: string,
    context: ActionContext,
    exchange: Exchange,
    apiVersion: string,
    long: LongAction | undefined,
    recorded: RecordedAction | undefined,
  ): Reply {
    const { path, resource, request } = context;
    const style = recorded
      ? actionStyle(recorded.shape)
      : ({ status: 202, poll: 'both', retryAfterSeconds: 10 } as const);
    const body = long ? undefined : recordedBody(recorded?.answer, context);
    const shown = body === undefined ? {} : { body };
    if (!long && style.poll === 'none') {
      setEffects(resource, recorded?.sets);
      return { status: style.status, ...shown };
    }
    if (resource.operationId) throw busy(this.#store.behaviourOf(path.type), resource);
    long?.check(context);
    context.changed();
    const ended = { ...exchange, operationFault: exchange.operationFault ?? long?.failure?.(context) };
    const operation = this.#running.startAction(resource, { name, request }, ended, apiVersion, {
      retryAfterSeconds: style.retryAfterSeconds,
      ...(long?.word && { runningWord: long.word }),
      ...(!long && { result: recordedBody(recorded?.result, context) ?? {} }),
    });
    const headers = this.#running.pollHeaders(operation, style, {}, path, exchange, context.now);
    return { status: style.status, headers, ...shown };
  }
}
