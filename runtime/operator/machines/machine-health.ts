import { reasons } from '../../arm-kinds/names.ts';
import type { RolloutMachine } from '../../compute/managed-secrets/rollout-steps.ts';
import { rollReasons } from '../../compute/rolls/roll-plan.ts';
import type { DeliveryMemory, SeenMachine } from './delivery-memory.ts';
import type { MachineSecrets } from './machine-secrets.ts';
import type { Progress } from './roll-memory.ts';
import type { PlannedMachine } from './secret-plan.ts';

/** Reasons of a delivery that does not go on because of the machine itself. */
const illReasons: ReadonlySet<string> = new Set([rollReasons.stopped, rollReasons.unhealthy, reasons.failed]);

/** The health of a machine after a run, as Ready shows it. A virtual machine without instances is well once it is done. */
export function healthOf({ done, well = done, severity, reason }: Progress): RolloutMachine['health'] {
  if (done && well) return 'Well';
  if (severity === 'Warning' && illReasons.has(reason)) return 'Ill';
  return done ? 'Moving' : 'Rolling';
}

/** Records the health of a machine. A change has the rollouts of its ManagedSecrets reconciled. */
export function noteHealth(
  machines: MachineSecrets,
  memory: DeliveryMemory,
  { secrets }: Pick<PlannedMachine, 'secrets'>,
  health: RolloutMachine['health'],
  message: string,
): void {
  const numbers = new Map(secrets.map(({ name, number }) => [name, number]));
  const seen: SeenMachine = { numbers, health, message };
  const isSame = textOf(memory.seen) === textOf(seen);
  memory.seen = seen;
  if (!isSame) machines.secrets.recheckRollouts(memory.namespace, memory.uses.keys());
}

function textOf(seen: SeenMachine | undefined): string {
  return seen ? JSON.stringify([...seen.numbers, seen.health]) : '';
}
