import type { ExportPlan } from '../../../arm-kinds/export/export-plan.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { eventReasons } from '../../../arm-kinds/names.ts';
import { policyOf, type UnknownValueReporter } from '../../../arm-kinds/policy.ts';
import type { KubeObject, ResourceType } from '../../../kube/client/types.ts';
import { adoptBoundOf, adoptPolicyOf } from '../../lifecycle/adoption.ts';
import { publishedBy } from '../../rotation/journal.ts';
import { rotationSteps } from '../../rotation/steps.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { Trace } from './request.ts';

/** The model and type of a kind, and the operator's parts: everything that its requests are built from. */
export interface RequestSource {
  readonly model: ArmModel;
  readonly type: ResourceType;
  readonly context: OperatorContext;
}

/** The plan of an object that exports nothing. */
export const noExports: ExportPlan = { items: [], actions: [], secrets: {} };

/** The members that a request has for an object, to apply or to delete. Reports unknown annotation values in an event. */
export function commonMembers(
  { model, type, context }: RequestSource,
  object: KubeObject,
  { correlationId, log }: Trace,
  signal: AbortSignal,
) {
  const { namespaces, defaultPolicy, defaultAdopt } = context;
  const { keyRotation } = model.definition.arm ?? {};
  const namespace = namespaces.get({ name: object.metadata.namespace ?? '' });
  const problems: string[] = [];
  const unknown: UnknownValueReporter = (annotation, value, fix) =>
    problems.push(`${annotation} is \`${value}\`: ${fix}`);
  const policies = {
    policy: policyOf(object, namespace, defaultPolicy, unknown),
    adopt: adoptPolicyOf(object, namespace, defaultAdopt, unknown),
    adoptBound: adoptBoundOf(namespace, defaultAdopt),
  };
  reportUnknown(context, object, problems.join('. '));
  return {
    model,
    type,
    object,
    ...policies,
    publishedKeys: keyRotation ? publishedBy(object, rotationSteps(keyRotation)) : ('both' as const),
    correlationId,
    log,
    signal,
  };
}

/** Reports each text once, because a run that only checks Azure writes no events. */
function reportUnknown({ memory: memories, events }: OperatorContext, object: KubeObject, note: string): void {
  const memory = memories.get(object.metadata.uid ?? '');
  if (!memory || note === (memory.unknownValues ?? '')) return;
  memory.unknownValues = note;
  if (note === '') return;
  const event = { type: 'Warning', reason: eventReasons.unknownPolicy, action: 'Read', note } as const;
  events.record({ regarding: object, ...event });
}
