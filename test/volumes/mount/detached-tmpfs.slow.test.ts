import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isMounted, mountsBelow } from '../../../runtime/volumes/mount/mounts.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';

const { EACCES, ENOSYS, EPERM } = constants.errno;
let bench: VolumeBench;
let driver: string;
/** As kubelet's directory is: what is mounted below it is seen at its peers too. */
let shared: string;
let peer: string;

const mount = (...args: string[]) => expect(spawnSync('mount', args).status).toBe(0);

beforeAll(async () => {
  bench = await startVolumeBench();
  driver = await bench.driver(join(import.meta.dirname, '..', 'killed-driver.ts'));
  await bench.write({
    secrets: [
      { name: 'password', value: 'old' },
      { name: 'big', value: 'x'.repeat(24_000) },
    ],
  });
  if (!canMount) return;
  [shared, peer] = [join(bench.directory, 'shared'), join(bench.directory, 'peer')];
  mkdirSync(shared);
  mkdirSync(peer);
  mount('-t', 'tmpfs', 'tmpfs', shared);
  mount('--make-shared', shared);
  mount('--bind', shared, peer);
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

const one = (name = 'password') =>
  bench.options({ keyvaultobjectnames: name, keyvaultobjecttypes: 'secret', fsgroup: '7' });

(canMount ? describe : describe.skip).each([
  ['with the newer mount calls', {}],
  ['where the kernel has none of them', { DENIED: String(ENOSYS) }],
  ['where they are filtered out', { DENIED: String(EPERM) }],
  ['where only move_mount is filtered out', { DENIED: `${EPERM} 429` }],
  ['where only fsopen is refused by a security module', { DENIED: `${EACCES} 430` }],
  ['where only fsconfig is filtered out', { DENIED: `${EPERM} 431` }],
  ['where only fsmount is filtered out', { DENIED: `${ENOSYS} 432` }],
])('%s', (_, env) => {
  const run = (...args: string[]) => bench.run([driver], args, { ...env, KILL_AT: '-1' });
  const refused = async (directory: string, options: string, message: RegExp) => {
    const call = await run('mount', directory, options);
    expect(call).toMatchObject({ document: { status: 'Failure', message: expect.stringMatching(message) } });
    expect(mountsBelow(bench.directory).sort()).toEqual([bench.directory, peer, shared].slice(1).sort());
    expect(existsSync(bench.stateDirectory) ? readdirSync(bench.stateDirectory) : []).toEqual([]);
  };

  test('a volume has its files, owner, mode, size and flags, also where it is seen from elsewhere', async () => {
    const directory = join(shared, 'volume');
    mkdirSync(directory);
    expect(await run('mount', directory, one())).toMatchObject({ document: { status: 'Success' } });
    for (const place of [directory, join(peer, 'volume')]) {
      expect(isMounted(place)).toBe(true);
      expect(filesOf(place)).toEqual({ password: 'old' });
      const { mode, uid, gid } = statSync(join(place, 'password'));
      expect({ mode: mode & 0o7777, uid, gid }).toEqual({ mode: 0o440, uid: 0, gid: 7 });
      const line = readFileSync('/proc/self/mountinfo', 'utf8')
        .split('\n')
        .filter((each) => each.includes(` ${place} `));
      expect(line).toEqual([
        expect.stringMatching(
          / rw,nosuid,nodev,noexec,relatime .* - tmpfs azimuth-kv::26624 rw,.*size=16384k,nr_inodes=4096,mode=755/,
        ),
      ]);
    }
    expect(existsSync(bench.stateDirectory) ? readdirSync(bench.stateDirectory) : []).toEqual([]);

    expect(await run('mount', directory, one('absent'))).toMatchObject({ document: { status: 'Success' } });
    expect(await run('unmount', directory)).toMatchObject({ document: { status: 'Success' } });
    expect(existsSync(join(peer, 'volume'))).toBe(false);
  });

  test('a failure leaves nothing', async () => {
    await refused(bench.volume('absent'), one('absent'), /"absent"/);
    bench.settings({ volumeBytes: 16_384 });
    await refused(bench.volume('full'), one('big'), /take more than the 16384 bytes of the volume; raise volumeBytes/);
    bench.settings({});
    // A file in the way of the volume is not mounted over.
    await refused(bench.settingsFile, one(), /EEXIST|ENOTDIR/);
  });
});
