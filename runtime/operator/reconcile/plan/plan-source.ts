import type { ExportPlan } from '../../../arm-kinds/export/export-plan.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { eventReasons } from '../../../arm-kinds/names.ts';
import { policyOf, type UnknownValueReporter } from '../../../arm-kinds/policy.ts';
import type { KubeObject, ResourceType } from '../../../kube/client/types.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import type { Trace } from '../../effects/reconcile-plan.ts';
import { rotationSteps } from '../../export/steps.ts';
import { adoptBoundOf, adoptPolicyOf } from '../../objects/adoption.ts';
import { publishedBy } from '../../rotation/journal.ts';

/** The model and type of a kind, and what all runs share: everything that its plans are built from. */
export interface PlanSource {
  readonly model: ArmModel;
  readonly type: ResourceType;
  readonly shared: ReconcileDeps;
}

/** The plan of an object that exports nothing. */
export const noExports: ExportPlan = { items: [], actions: [], secrets: {} };

/** The members that a plan has for an object, to apply or to delete. Reports unknown annotation values in an event. */
export function commonMembers(
  { model, type, shared }: PlanSource,
  object: KubeObject,
  { correlationId, log }: Trace,
  signal: AbortSignal,
) {
  const { namespaces, defaultPolicy, defaultAdopt } = shared;
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
  reportUnknown(shared, object, problems.join('. '));
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
function reportUnknown({ memory: memories, events }: ReconcileDeps, object: KubeObject, note: string): void {
  const memory = memories.get(object.metadata.uid ?? '');
  if (!memory || note === (memory.unknownValues ?? '')) return;
  memory.unknownValues = note;
  if (note === '') return;
  const event = { type: 'Warning', reason: eventReasons.unknownPolicy, action: 'Read', note } as const;
  events.record({ regarding: object, ...event });
}
