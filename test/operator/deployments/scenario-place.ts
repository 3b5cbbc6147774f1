import { afterAll, beforeAll } from '@jest/globals';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { startWorld, type World } from '../support.ts';
import { Place, scenarioKinds } from './place.ts';

/** After this many milliseconds a scenario hangs: on a busy machine it may take ten times as long as alone. */
export const limitMs = 1_200_000;

/** A world with an operator as a process, from the first to the last test of the file. The members throw before that. */
export function scenarioPlace(): { readonly place: Place; readonly operator: RestartableOperator } {
  let world: World | undefined;
  let operator: RestartableOperator | undefined;
  let place: Place | undefined;
  beforeAll(async () => {
    world = await startWorld({ deployments: true, machineSecrets: true, kinds: scenarioKinds });
    const started = await RestartableOperator.start(world, '--deployments', '--machine-secrets');
    operator = started;
    const { client, azure } = world;
    place = new Place({ client, azure, namespace: 'default', kill: () => started.kill() });
  }, limitMs);
  afterAll(async () => {
    await place?.close();
    await operator?.close();
    await world?.close();
  });
  const running = <T>(each: T | undefined): T => {
    if (each === undefined) throw new Error('the world of the scenarios is not running: use it in a test');
    return each;
  };
  return {
    get place() {
      return running(place);
    },
    get operator() {
      return running(operator);
    },
  };
}
