import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mountTable } from '../../runtime/volumes/mounts.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

const mounts = mountTable();
const contents = { one: 'first', two: 'second' };
let bench: VolumeBench;
let options: string;
let killed: [string];

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: Object.entries(contents).map(([name, value]) => ({ name, value })) });
  killed = [await bench.driver(join(import.meta.dirname, 'killed-driver.ts'))];
  options = bench.options({ keyvaultobjectnames: 'one;two', keyvaultobjecttypes: 'secret;secret' });
}, 120_000);
afterAll(async () => bench?.[Symbol.asyncDispose]());

(canMount ? describe : describe.skip)('killed', () => {
  test('before any step, the driver leaves no volume that is not complete, and the next call succeeds', async () => {
    const whole = await bench.run(killed, ['mount', bench.volume('whole'), options]);
    const steps = whole.document as string[];
    expect(steps).toEqual(
      expect.arrayContaining(['stage', 'fill', 'write one', 'switch', 'show two', 'bind', 'close stage', 'mounted']),
    );
    for (const [index, step] of steps.entries()) {
      const directory = bench.volume(`killed-${index}`);
      const call = await bench.run(killed, ['mount', directory, options], { KILL_AT: String(index) });
      expect({ step, signal: call.signal, stdout: call.stdout }).toEqual({ step, signal: 'SIGKILL', stdout: '' });
      // kubelet takes a mount for a finished volume.
      expect([step, mounts.isMounted(directory) ? filesOf(directory) : contents]).toEqual([step, contents]);
      const next = await bench.run(killed, ['mount', directory, options], { KILL_AT: '-1' });
      expect([step, next.document]).toEqual([step, { status: 'Success' }]);
      expect(filesOf(directory)).toEqual(contents);
      expect(mounts.below(bench.stateDirectory)).toEqual([]);
      expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0 });
      expect(mounts.isMounted(directory)).toBe(false);
    }
  }, 120_000);

  test('while it waits for the vault, it leaves nothing that the next unmount does not clear', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 1 });
    const directory = bench.volume('waiting');
    const child = bench.start([await bench.driver()], ['mount', directory, options]);
    await bench.faultsHit();
    child.kill('SIGKILL');
    await child.ended;
    expect(mounts.isMounted(directory)).toBe(false);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0 });
    expect(mounts.below(bench.stateDirectory)).toEqual([]);
  });

  test('told to end while it waits, it cleans up itself and answers', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 1 });
    const directory = bench.volume('ended');
    const child = bench.start([await bench.driver()], ['mount', directory, options]);
    await bench.faultsHit();
    child.kill('SIGTERM');
    const call = await child.ended;
    expect(call).toMatchObject({ code: 1, stderr: '', document: { status: 'Failure' } });
    expect(call.document.message).toMatch(/ended by SIGTERM/);
    expect(mounts.below(bench.stateDirectory)).toEqual([]);
    expect(mounts.isMounted(directory)).toBe(false);
  });
});
