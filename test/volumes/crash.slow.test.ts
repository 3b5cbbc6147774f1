import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isMounted, mountsBelow } from '../../runtime/volumes/mount/mounts.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

const contents = { one: 'first', two: 'second' };
let bench: VolumeBench;
let options: string;
let killed: [string];

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: Object.entries(contents).map(([name, value]) => ({ name, value })) });
  killed = [await bench.driver(join(import.meta.dirname, 'killed-driver.ts'))];
  options = bench.options({ keyvaultobjectnames: 'one;two', keyvaultobjecttypes: 'secret;secret' });
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

(canMount ? describe : describe.skip)('killed', () => {
  test.each([
    ['Linux 5.2', {}],
    ['an older one', { DENIED: String(constants.errno.ENOSYS) }],
    ['one without move_mount', { DENIED: `${constants.errno.EPERM} 429` }],
  ])(
    'before any step, on %s, the driver leaves no volume that is not complete, and the next call succeeds',
    async (on, env) => {
      const whole = await bench.run(killed, ['mount', bench.volume('whole'), options], env);
      const steps = whole.document as string[];
      expect(steps).toEqual(
        expect.arrayContaining([
          'fetch',
          'tmpfs',
          'fill',
          'write one',
          'switch',
          'link two',
          'attach',
          'close tmpfs',
          'mounted',
        ]),
      );
      for (const [index, step] of steps.entries()) {
        const directory = bench.volume(`killed-${index}`);
        const call = await bench.run(killed, ['mount', directory, options], { ...env, KILL_AT: String(index) });
        expect({ step, signal: call.signal, stdout: call.stdout }).toEqual({ step, signal: 'SIGKILL', stdout: '' });
        // One that no process has is no more.
        if (on === 'Linux 5.2') expect([step, mountsBelow(bench.stateDirectory)]).toEqual([step, []]);
        // kubelet takes a mount for a finished volume.
        expect([step, isMounted(directory) ? filesOf(directory) : contents]).toEqual([step, contents]);
        const next = await bench.run(killed, ['mount', directory, options], { ...env, KILL_AT: '-1' });
        expect([step, next.document]).toEqual([step, { status: 'Success' }]);
        expect(filesOf(directory)).toEqual(contents);
        expect(mountsBelow(bench.stateDirectory)).toEqual([]);
        expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
        expect(isMounted(directory)).toBe(false);
      }
      expect(await bench.kv('unmount', bench.volume('whole'))).toMatchObject({
        code: 0,
        document: { status: 'Success' },
      });
    },
  );

  test('while it waits for the vault, it leaves nothing that the next unmount does not clear', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 1 });
    const directory = bench.volume('waiting');
    const child = bench.start([await bench.driver()], ['mount', directory, options]);
    await bench.faultsHit();
    child.kill('SIGKILL');
    await child.ended;
    expect(isMounted(directory)).toBe(false);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(mountsBelow(bench.stateDirectory)).toEqual([]);
  });

  test('at SIGTERM while it waits, it cleans up and answers', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 1 });
    const directory = bench.volume('ended');
    const child = bench.start([await bench.driver()], ['mount', directory, options]);
    await bench.faultsHit();
    child.kill('SIGTERM');
    const call = await child.ended;
    expect(call).toMatchObject({ code: 0, stderr: '', document: { status: 'Failure' } });
    expect(call.document.message).toMatch(/ended by SIGTERM/);
    expect(mountsBelow(bench.stateDirectory)).toEqual([]);
    expect(isMounted(directory)).toBe(false);
  });
});
