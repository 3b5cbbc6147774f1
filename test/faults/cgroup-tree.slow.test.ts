/** Groups of processes in a real hierarchy of cgroup version 2, which a private mount namespace shows alone. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { type Scratch, scratch } from '../fakes/scratch.ts';

const tree = new URL('./tenant/cgroup-tree.ts', import.meta.url).pathname;
/**
 * Runs in the namespace. Controllers that a hierarchy of version 1 has are missing here: on such a machine hugetlb is in the
 * place of cpu, and cpu in that of a controller that is not delegated.
 */
const script = `
import { existsSync, readFileSync } from 'node:fs';
import { CgroupTree } from '${tree}';
const there = readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').trim().split(' ');
const controller = ['cpu', 'hugetlb', 'io', 'pids'].find((name) => there.includes(name));
const groups = new CgroupTree(controller, ['none', 'cgroup.events']);
const root = 'azimuth-test-' + process.pid;
const leaf = groups.make(root + '/kubepods/besteffort');
groups.make(root + '/elsewhere');
groups.enter(root + '/kubepods/besteffort');
const inside = readFileSync(leaf + '/cgroup.procs', 'utf8').trim() === String(process.pid);
const delegated = readFileSync(leaf + '/../cgroup.controllers', 'utf8').trim().split(' ').includes(controller);
groups.enter();
groups.remove();
const absent = new CgroupTree('rdma-of-nobody', ['none', 'none']);
console.log(JSON.stringify({
  version: groups.version,
  problem: groups.problem ?? 'none',
  inside,
  delegated,
  removed: !existsSync(leaf),
  absent: absent.problem,
}));
`;

let files: Scratch | undefined;

test('groups of version 2 are made, entered, left and removed, and a controller that is missing is named', () => {
  files = scratch();
  try {
    const file = files.write('groups.mts', script);
    const commands = [
      'mount --make-rprivate /',
      'umount -l /sys/fs/cgroup',
      'mount -t cgroup2 none /sys/fs/cgroup',
      'exec "$@"',
    ].join(' && ');
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', file];
    const text = execFileSync('unshare', ['-m', 'sh', '-c', commands, 'sh', ...node], { encoding: 'utf8' });
    expect(JSON.parse(text)).toEqual({
      version: 2,
      problem: 'none',
      inside: true,
      delegated: true,
      removed: true,
      absent: expect.stringMatching(/^the rdma-of-nobody controller is not in the hierarchy of version 2/),
    });
  } finally {
    files.remove();
  }
});
