import { afterAll, beforeAll, test } from '@jest/globals';
import { replay } from '../replay/replay.ts';
import { Stage } from '../replay/world.ts';
import { cassettesOf, nameOf, readCassette } from './cassettes.ts';

const module = process.env['AZIMUTH_ASO_MODULE'];
if (!module) throw new Error('AZIMUTH_ASO_MODULE is not set: run this file by npm run test:judges -- aso');

/** Recorded tests that no operator but the recorded one can repeat, with the reason. One that passes fails the run. */
const impossible: Readonly<Record<string, string>> = {
  Test_AKS_ManagedCluster_20240402preview_CRUD:
    'v2.20.0 has no such version, so the pool is an ArmResource, and server-side apply makes its labels null, not {}',
  Test_AzureName_IsImmutable_IfAzureHasBeenCommunicatedWith:
    'the API server refuses the name ==--039+ by the pattern of newer versions, before Azure refuses it',
};

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

const files = cassettesOf(module).map((file) => [nameOf(file), file] as const);

test.concurrent.each(files.filter(([name]) => !(name in impossible)))(
  '%s: the recorded end is reached with the recorded requests and waits',
  (_, file) => replay(stage, readCassette(file)),
);

const known = files.flatMap(([name, file]) => (name in impossible ? [[name, impossible[name], file] as const] : []));
if (known.length > 0) {
  test.concurrent.failing.each(known)('%s cannot be repeated: %s', (_name, _reason, file) =>
    replay(stage, readCassette(file)),
  );
}
